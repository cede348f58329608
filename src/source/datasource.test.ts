import { lastValueFrom, Observable, of } from 'rxjs';

import { CoreApp, type DataQueryRequest, dateTime, FieldType, type RawTimeRange, type TimeRange } from '@grafana/data';
import { DataSourceWithBackend, HealthStatus } from '@grafana/runtime';

import { getDataSet, namedFields } from '../../schema/datasets';
import { type InsightsQuery } from '../query/query';
import { dataSourceWith, templatesWith } from '../testing/datasource';
import { DataSource } from './datasource';

const suggestions = [{ value: 'START', text: 'START' }];

type Request = DataQueryRequest<InsightsQuery>;

/** The queries that are sent: Grafana interpolates each one of the request. */
function sent(request: Partial<Request>, variables: Parameters<typeof dataSourceWith>[1] = {}) {
  const query = jest.spyOn(DataSourceWithBackend.prototype, 'query').mockReturnValue(of({ data: [] }));
  const { datasource } = dataSourceWith([], variables);
  datasource.query({ timezone: 'utc', scopedVars: {}, ...request } as Request);
  const [[{ targets }]] = query.mock.calls as [[Request]];
  query.mockRestore();
  return targets.map((target) => datasource.applyTemplateVariables(target, {}, request.filters));
}

const saved = (parts: object = {}) => ({ refId: 'A', ...parts }) as InsightsQuery;

it('cancels the request to the backend when nobody waits for the answer', () => {
  const cancel = jest.fn();
  jest.spyOn(DataSourceWithBackend.prototype, 'query').mockReturnValue(new Observable(() => cancel));
  const request = { timezone: 'utc', targets: [{ refId: 'A' }] } as unknown as DataQueryRequest<InsightsQuery>;
  const asked = dataSourceWith().datasource.query(request).subscribe();
  expect(cancel).not.toHaveBeenCalled();
  asked.unsubscribe();
  expect(cancel).toHaveBeenCalled();
  jest.restoreAllMocks();
});

it('says an error of several queries once, except below each query in an editor', async () => {
  const error = (refId: string, message: string) => ({ refId, message });
  const errors = [error('A', 'down'), error('B', 'down'), error('C', 'slow')];
  jest.spyOn(DataSourceWithBackend.prototype, 'query').mockReturnValue(of({ data: [], error: errors[0], errors }));
  const shown = async (request: Partial<Request>) => {
    const asked = { timezone: 'utc', targets: [saved()], scopedVars: {}, ...request } as Request;
    return (await lastValueFrom(dataSourceWith().datasource.query(asked))).errors;
  };
  expect(await shown({})).toEqual([errors[0], errors[2]]);
  expect(await shown({ app: CoreApp.Explore })).toEqual(errors);
  jest.restoreAllMocks();
});

describe('Save & test', () => {
  const report = [{ key: 'size-refused', severity: 'info', text: '', values: { sets: 'Tasks' } }];
  const details = { step: 'login', error: 'no way', report };

  function testing(status: HealthStatus, message: string) {
    const { datasource } = dataSourceWith();
    jest.spyOn(datasource, 'callHealthCheck').mockResolvedValue({ status, message, details });
    return datasource.testDatasource();
  }

  it('shows the findings of a check', async () => {
    await expect(testing(HealthStatus.OK, 'Connected')).resolves.toMatchObject({
      status: 'success',
      message: 'Connected',
      details: { verboseMessage: expect.stringMatching(/^· Tasks: the service rejects /) },
    });
  });

  it('shows why a check failed', async () => {
    await expect(testing(HealthStatus.Error, 'Login failed')).rejects.toMatchObject({
      status: 'error',
      message: 'Login failed: no way',
      error: { details },
    });
  });
});

it('starts in Explore with the columns that people look at, the ID last', () => {
  const { columns = [] } = dataSourceWith().datasource.getDefaultQuery(CoreApp.Explore);
  expect(columns[0]).toBe('activityLabel');
  expect(columns.at(-1)).toBe('id');
  expect(namedFields(getDataSet('tasks')).map(({ name }) => name)).toEqual(expect.arrayContaining(columns));
});

it('does not run a hidden query', () => {
  const { datasource } = dataSourceWith();
  expect(datasource.filterQuery({ refId: 'A' })).toBe(true);
  expect(datasource.filterQuery({ refId: 'A', hide: true })).toBe(false);
});

it('starts with rows, and leaves the start of rules and panels to the editor', () => {
  const { datasource } = dataSourceWith();
  expect(datasource.getDefaultQuery(CoreApp.UnifiedAlerting)).toEqual({});
  expect(datasource.getDefaultQuery(CoreApp.Dashboard)).toEqual({ queryType: 'tasks' });
});

describe('variables and ad hoc filters', () => {
  const { datasource } = dataSourceWith([], { labels: { value: ['INV', 'PAY'] } });
  const query: InsightsQuery = { refId: 'A', search: '$labels' };
  const adHoc = [{ key: 'state', operator: '=', value: 'START' }];
  const filters = [
    { key: 'activityLabel', operator: '=|', values: ['INV', 'PAY'] },
    { key: 'state', operator: '=', value: 'START' },
  ];

  it('become filters of the sent query', () => {
    expect(datasource.applyTemplateVariables(query, {}, adHoc)).toEqual({ refId: 'A', filters });
  });

  it('are passed to Explore with a query', () => {
    expect(datasource.interpolateVariablesInQueries([query], {}, adHoc)).toEqual([
      { refId: 'A', filters, datasource: { uid: 'uid', type: 'insights-reporting-datasource' } },
    ]);
  });

  it('are available to the editor by name', () => {
    expect(datasource.variableNames()).toEqual(['labels']);
  });
});

describe('ad hoc filters of a dashboard', () => {
  const queries: InsightsQuery[] = [{ refId: 'A' }];
  const timeRange = { from: dateTime().subtract(3, 'days') } as TimeRange;

  it('are offered for the fields of its queries', async () => {
    const { data } = await dataSourceWith().datasource.getTagKeys({ queries });
    expect(data).toContainEqual({ text: 'State · state', value: 'state' });
    expect(data.map(({ value }) => value)).not.toContain('successRate');
  });

  it('are offered with values of its time range', async () => {
    const { datasource, getResource } = dataSourceWith(suggestions);
    expect(await datasource.getTagValues({ key: 'state', filters: [], queries, timeRange })).toEqual({
      data: suggestions,
    });
    expect(getResource).toHaveBeenCalledWith(
      'values',
      expect.objectContaining({ field: 'state', days: 3 }),
      expect.anything()
    );
  });

  it.each([
    [new Error('offline'), 'offline'],
    [{ status: 502, data: { message: 'the service is down' } }, 'the service is down'],
    [{ status: 504, statusText: 'Gateway timeout', data: {} }, 'Query error: 504 Gateway timeout'],
  ])('report why there are no values: %j', async (reason, message) => {
    const { datasource, getResource } = dataSourceWith();
    getResource.mockRejectedValue(reason);
    expect(await datasource.getTagValues({ key: 'state', filters: [], queries })).toEqual({
      data: [],
      error: { message },
    });
  });
});

it.each<[Partial<InsightsQuery>, string]>([
  [{}, 'Tasks · Table'],
  [{ queryType: 'runners', search: 'r-1' }, 'Runners · Table · search r-1'],
  [{ format: 'timeseries', measure: 'tasks' }, 'Tasks · Time series · Tasks'],
  [
    { queryType: 'automations', format: 'numeric', measure: 'successRate', groupBy: ['label', 'machineId'] },
    'Automations · Number · Success rate by Automation, Runner',
  ],
])('describes %j as %p', (query, text) => {
  expect(dataSourceWith().datasource.getQueryDisplayText({ refId: 'A', ...query })).toBe(text);
});

it('says once which ad hoc filters a query ignores, in the notice of the backend', async () => {
  const lane = () => ({
    refId: 'A',
    fields: [],
    length: 0,
    meta: { notices: [{ severity: 'info', text: 'Rounded' }] },
  });
  jest.spyOn(DataSourceWithBackend.prototype, 'query').mockReturnValue(of({ data: [lane(), lane()] }));
  const filters = [{ key: 'successRate', operator: '=', value: '1' }];
  const request = { timezone: 'utc', scopedVars: {}, targets: [saved({ format: 'timeline' })], filters };
  const { data } = await lastValueFrom(dataSourceWith().datasource.query(request as unknown as Request));
  const text = 'Rounded. Not filtered by successRate: does not apply to Tasks.';
  expect(data.map(({ meta }) => meta.notices)).toEqual([[{ severity: 'info', text }], []]);
  jest.restoreAllMocks();
});

describe('the clock', () => {
  it.each([
    ['utc', 'utc'],
    ['America/Sao_Paulo', 'America/Sao_Paulo'],
    // The backend can't know the browser's.
    ['browser', Intl.DateTimeFormat().resolvedOptions().timeZone],
  ])('is that of the dashboard: %s', (timezone, zone) => {
    expect(sent({ timezone, targets: [saved()] })).toEqual([{ refId: 'A', timezone: zone }]);
  });

  it('is that of the query, if it has one', () => {
    expect(sent({ targets: [saved({ timezone: 'Asia/Tokyo' })] })).toEqual([{ refId: 'A', timezone: 'Asia/Tokyo' }]);
  });

  it('is that of the dashboard, if the variable of the query has no value', () => {
    const targets = [saved({ timezone: '${tz}' })];
    const expected = [{ refId: 'A', timezone: 'Asia/Tokyo' }];
    expect(sent({ timezone: 'Asia/Tokyo', targets }, { tz: { value: '' } })).toEqual(expected);
  });

  it.each<[string, RawTimeRange, true | undefined]>([
    ['a range until now', { from: 'now-24h', to: 'now' }, true],
    ['a range from a date until now', { from: dateTime(0), to: 'now' }, undefined],
    ['the previous day', { from: 'now-1d/d', to: 'now-1d/d' }, undefined],
    ['all of this week', { from: 'now/w', to: 'now/w' }, undefined],
    ['dates', { from: dateTime(0), to: dateTime(1) }, undefined],
  ])('tells whether %s ends now', (_, raw, untilNow) => {
    const [query] = sent({ targets: [saved()], range: { raw } as TimeRange });
    expect(query).toEqual({ refId: 'A', timezone: 'utc', ...(untilNow && { untilNow }) });
  });
});

describe('what a request adds depends on what variables contain', () => {
  const variables = { set: { value: 'automations' }, format: { value: 'numeric' }, by: { value: 'label' } };
  const query = saved({ queryType: '$set', format: '$format', measure: 'taskCount', groupBy: ['$by'] });
  const meant = { refId: 'A', timezone: 'utc', queryType: 'automations', format: 'numeric', measure: 'taskCount' };

  it('the rows that a visualization lists', () => {
    expect(sent({ targets: [query], panelPluginId: 'table' }, variables)).toEqual([
      { ...meant, groupBy: ['label'], shape: 'long' },
    ]);
  });

  it('the fields of ad hoc filters', async () => {
    const { datasource } = dataSourceWith([], variables);
    const { data } = await datasource.getTagKeys({ queries: [query] });
    expect(data.map(({ value }) => value)).toContain('successRate');
    expect(data.map(({ value }) => value)).not.toContain('finishStatus');
  });
});

it('sends every query as it was saved, for the backend to read', () => {
  const targets = [
    saved({ filters: null, hide: true, groupBy: 'state', days: '7' }),
    saved({ refId: 'B', sort: 'id,desc', filters: 'state', columns: [{}] }),
  ];
  const filters = [{ key: 'state', operator: '=', value: 'START' }];
  expect(sent({ targets, filters })).toEqual([
    { ...targets[0], timezone: 'utc', filters },
    { ...targets[1], timezone: 'utc', filters: ['state', ...filters] },
  ]);
});

it('asks for what each query needs, also without refIds, and keeps the order of the frames', async () => {
  const targets = [
    { format: 'numeric', measure: 'tasks' },
    { format: 'timeseries', measure: 'tasks' },
  ];
  expect(sent({ targets, panelPluginId: 'table' } as never)).toEqual([
    { ...targets[0], timezone: 'utc', shape: 'long' },
    { ...targets[1], timezone: 'utc' },
  ]);
  const data = ['10', '2', '10'].map((refId) => ({ refId, fields: [], length: 0 }));
  const query = jest.spyOn(DataSourceWithBackend.prototype, 'query').mockReturnValue(of({ data }));
  const request = { timezone: 'utc', scopedVars: {}, targets: [saved({ refId: '10' }), saved({ refId: '2' })] };
  const response = await lastValueFrom(dataSourceWith().datasource.query(request as unknown as Request));
  expect(response.data.map(({ refId }) => refId)).toEqual(['10', '10', '2']);
  query.mockRestore();
});

it('says which variables of a query do not exist, beside its rows', async () => {
  const data = ['A', 'B'].map((refId) => ({ refId, fields: [], length: 0 }));
  const query = jest.spyOn(DataSourceWithBackend.prototype, 'query').mockReturnValue(of({ data }));
  const filters = [{ key: '$field', operator: '=', values: ['$nobody', '${nobody:csv}', 'x'] }];
  const targets = [saved({ filters, datasource: { uid: '$ds' } }), saved({ refId: 'B', search: '$field' })];
  const { datasource } = dataSourceWith([], { field: { value: 'state' } });
  const request = { timezone: 'utc', scopedVars: {}, targets } as unknown as Request;
  const response = await lastValueFrom(datasource.query(request));
  const text = 'No such variable: $nobody, ${nobody:csv}. Correct the name, or create the variable.';
  expect(response.data.map(({ meta }) => meta?.notices)).toEqual([[{ severity: 'warning', text }], undefined]);
  query.mockRestore();
});

describe('what Grafana 13 adds to a dashboard', () => {
  const { datasource } = dataSourceWith();

  it('is a picker of automations that no query has to use', async () => {
    const [{ kind, spec }] = (await datasource.getDefaultVariables?.()) ?? [];
    expect(kind).toBe('QueryVariable');
    expect(spec).toMatchObject({
      name: 'insightsAutomation',
      label: 'Automation',
      current: { value: '$__all' },
      query: {
        group: 'insights-reporting-datasource',
        datasource: { name: 'uid' },
        spec: { queryType: 'automations' },
      },
    });
  });

  it('is a link to the orchestrator if a setting has the address of a page', async () => {
    expect(await datasource.getDefaultLinks?.()).toEqual([]);
    const jsonData = { automationUrl: 'https://rpa.example:8443/a/${label}?x=1' };
    const other = new DataSource({ uid: 'uid', type: 'x', jsonData } as never, templatesWith() as never);
    expect(await other.getDefaultLinks?.()).toMatchObject([{ title: 'Orchestrator', url: 'https://rpa.example:8443' }]);
  });
});

it('does not change the values of frames', () => {
  const frame = { refId: 'A', length: 1, fields: [{ name: 'time', type: FieldType.time, config: {}, values: [1] }] };
  const answer = jest.spyOn(DataSourceWithBackend.prototype, 'query').mockReturnValue(of({ data: [frame] }));
  const range = { from: dateTime(7), to: dateTime(9) } as TimeRange;
  const targets = [saved({ queryType: 'automations', format: 'timeseries', measure: 'savings' })];
  const next = jest.fn();
  const request = { timezone: 'utc', targets, range, panelPluginId: 'timeseries' } as Request;
  dataSourceWith().datasource.query(request).subscribe(next);
  expect(next.mock.calls[0][0].data).toEqual([frame]);
  answer.mockRestore();
});
