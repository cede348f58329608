import { Observable, of } from 'rxjs';

import { CoreApp, type DataQueryRequest, dateTime, type RawTimeRange, type TimeRange } from '@grafana/data';
import { DataSourceWithBackend, HealthStatus } from '@grafana/runtime';

import { noteUnsaved } from './check';
import { withClock } from './datasource';
import { type InsightsQuery } from './query';
import { dataSourceWith } from './testing/datasource';

const suggestions = [{ value: 'START', text: 'START' }];

describe('query', () => {
  const request = (timezone: string, targets: Array<Partial<InsightsQuery>>) =>
    ({ timezone, targets: targets.map((target) => ({ refId: 'A', ...target })) }) as DataQueryRequest<InsightsQuery>;

  function sent(timezone: string, ...targets: Array<Partial<InsightsQuery>>) {
    const query = jest.spyOn(DataSourceWithBackend.prototype, 'query').mockReturnValue(of({ data: [] }));
    dataSourceWith().datasource.query(request(timezone, targets));
    return query.mock.calls[0][0].targets;
  }

  afterEach(() => jest.restoreAllMocks());

  it('sends the time zone of the calendar', () => {
    expect(sent('America/Sao_Paulo', { format: 'timeseries' }, {})).toEqual([
      { refId: 'A', format: 'timeseries', timezone: 'America/Sao_Paulo' },
      { refId: 'A', timezone: 'America/Sao_Paulo' },
    ]);
  });

  it("sends the name of the browser's zone, which the backend cannot know", () => {
    expect(sent('browser', { format: 'timeseries' })).toEqual([
      expect.objectContaining({ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
    ]);
  });
});

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

describe('Save & test', () => {
  const report = [{ key: 'size-smaller', severity: 'info', text: '', values: { set: 'Tasks' } }];
  const details = { step: 'login', error: 'no way', report };

  function testing(status: HealthStatus, message: string) {
    const { datasource } = dataSourceWith();
    jest.spyOn(datasource, 'callHealthCheck').mockResolvedValue({ status, message, details });
    return datasource.testDatasource();
  }

  afterEach(() => noteUnsaved('timeout', undefined));

  it('shows the findings of a check', async () => {
    await expect(testing(HealthStatus.OK, 'Connected')).resolves.toMatchObject({
      status: 'success',
      message: 'Connected',
      details: { verboseMessage: expect.stringMatching(/^· Tasks: pages of /) },
    });
  });

  it('reports which settings were not saved', async () => {
    noteUnsaved('timeout', 'Timeout');
    await expect(testing(HealthStatus.OK, 'Connected')).resolves.toMatchObject({
      status: 'warning',
      message: 'Connected. Not saved, because their values are not allowed: Timeout.',
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

it('does not run a hidden query', () => {
  const { datasource } = dataSourceWith();
  expect(datasource.filterQuery({ refId: 'A' })).toBe(true);
  expect(datasource.filterQuery({ refId: 'A', hide: true })).toBe(false);
});

it('starts with rows, and leaves the start of rules and panels to the editor', () => {
  const { datasource } = dataSourceWith();
  expect(datasource.getDefaultQuery(CoreApp.UnifiedAlerting)).toEqual({});
  expect(datasource.getDefaultQuery(CoreApp.Explore)).toEqual({ queryType: 'tasks' });
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
    expect(data).toContainEqual({ text: 'state', value: 'state' });
    expect(data.map(({ text }) => text)).not.toContain('successRate');
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

  it('report why there are no values', async () => {
    const { datasource } = dataSourceWith(new Error('the service is down'));
    expect(await datasource.getTagValues({ key: 'state', filters: [], queries })).toEqual({
      data: [],
      error: { message: 'the service is down' },
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

describe('clock', () => {
  const request = (timezone: string, query: Partial<InsightsQuery> = {}, raw?: RawTimeRange) =>
    ({
      timezone,
      requestId: 'Q1',
      targets: [{ refId: 'A', ...query }],
      ...(raw && { range: { raw } }),
    }) as DataQueryRequest<InsightsQuery>;

  const sent = (...given: Parameters<typeof request>) => withClock(request(...given)).targets[0];

  it.each(['utc', 'America/Sao_Paulo'])('sends %s unchanged', (zone) => {
    expect(sent(zone)).toEqual({ refId: 'A', timezone: zone });
  });

  it("sends the name of the browser's zone", () => {
    expect(sent('browser')).toHaveProperty('timezone', 'UTC');
  });

  it('keeps a saved zone', () => {
    expect(sent('utc', { timezone: 'Asia/Tokyo' })).toHaveProperty('timezone', 'Asia/Tokyo');
  });

  it.each<[string, RawTimeRange, true | undefined]>([
    ['a range until now', { from: 'now-24h', to: 'now' }, true],
    ['a range from a date until now', { from: dateTime(0), to: 'now' }, undefined],
    ['the previous day', { from: 'now-1d/d', to: 'now-1d/d' }, undefined],
    ['all of this week', { from: 'now/w', to: 'now/w' }, undefined],
    ['dates', { from: dateTime(0), to: dateTime(1) }, undefined],
  ])('reports whether %s ends now', (_, raw, untilNow) => {
    expect(sent('utc', {}, raw)).toEqual({ refId: 'A', timezone: 'utc', ...(untilNow && { untilNow }) });
  });

  it('does not change the saved query and the rest of the request', () => {
    const given = request('utc', { format: 'timeseries' });
    expect(withClock(given)).toMatchObject({ requestId: 'Q1', timezone: 'utc' });
    expect(given.targets).toEqual([{ refId: 'A', format: 'timeseries' }]);
  });
});
