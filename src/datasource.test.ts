import { of } from 'rxjs';

import { CoreApp, type DataQueryRequest, dateTime, type TimeRange } from '@grafana/data';
import { DataSourceWithBackend, HealthStatus } from '@grafana/runtime';

import { withTimeZone } from './datasource';
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

  it('says where midnight is for lines, whose buckets may be days', () => {
    expect(sent('America/Sao_Paulo', { format: 'timeseries' }, { format: 'numeric' }, {})).toEqual([
      { refId: 'A', format: 'timeseries', timezone: 'America/Sao_Paulo' },
      { refId: 'A', format: 'numeric' },
      { refId: 'A' },
    ]);
  });

  it('names the zone of the browser, which the backend cannot know', () => {
    expect(sent('browser', { format: 'timeseries' })).toEqual([
      expect.objectContaining({ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
    ]);
  });
});

describe('Save & test', () => {
  const details = { verboseMessage: 'Tasks come in pages of 20.' };

  function testing(status: HealthStatus, message: string) {
    const { datasource } = dataSourceWith();
    jest.spyOn(datasource, 'callHealthCheck').mockResolvedValue({ status, message, details });
    return datasource.testDatasource();
  }

  it('shows what a check found', async () => {
    await expect(testing(HealthStatus.OK, 'Connected')).resolves.toEqual({
      status: 'success',
      message: 'Connected',
      details,
    });
  });

  it('shows why a check failed', async () => {
    await expect(testing(HealthStatus.Error, 'Login failed')).rejects.toMatchObject({
      status: 'error',
      message: 'Login failed',
      error: { details },
    });
  });
});

it('does not run a query that is hidden', () => {
  const { datasource } = dataSourceWith();
  expect(datasource.filterQuery({ refId: 'A' })).toBe(true);
  expect(datasource.filterQuery({ refId: 'A', hide: true })).toBe(false);
});

it('starts an alert rule with numbers and anything else with rows', () => {
  const { datasource } = dataSourceWith();
  expect(datasource.getDefaultQuery(CoreApp.UnifiedAlerting).format).toBe('numeric');
  expect(datasource.getDefaultQuery(CoreApp.Explore)).toEqual({ queryType: 'tasks' });
});

describe('variables and ad-hoc filters', () => {
  const { datasource } = dataSourceWith([], { labels: { value: ['INV', 'PAY'] } });
  const query: InsightsQuery = { refId: 'A', search: '$labels' };
  const adHoc = [{ key: 'state', operator: '=', value: 'START' }];
  const filters = [
    { key: 'activityLabel', operator: '=|', values: ['INV', 'PAY'] },
    { key: 'state', operator: '=', value: 'START' },
  ];

  it('become filters of the query that is sent', () => {
    expect(datasource.applyTemplateVariables(query, {}, adHoc)).toEqual({ refId: 'A', filters });
  });

  it('go with a query to Explore', () => {
    expect(datasource.interpolateVariablesInQueries([query], {}, adHoc)).toEqual([
      { refId: 'A', filters, datasource: { uid: 'uid', type: 'insights-reporting-datasource' } },
    ]);
  });

  it('are known by name to the editor', () => {
    expect(datasource.variableNames()).toEqual(['labels']);
  });
});

describe('ad-hoc filters of a dashboard', () => {
  const queries: InsightsQuery[] = [{ refId: 'A' }];
  const timeRange = { from: dateTime().subtract(3, 'days') } as TimeRange;

  it('are offered for the fields of its queries', async () => {
    const { data } = await dataSourceWith().datasource.getTagKeys({ queries });
    expect(data).toContainEqual({ text: 'state', value: 'state', group: 'Tasks' });
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

  it('say why there are no values', async () => {
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
  [{ format: 'timeseries', measure: 'tasks' }, 'Tasks · Line · tasks'],
  [
    { queryType: 'automations', format: 'numeric', measure: 'successRate', groupBy: ['label', 'machineId'] },
    'Automations · Number · successRate by label, machineId',
  ],
])('describes %j as %p', (query, text) => {
  expect(dataSourceWith().datasource.getQueryDisplayText({ refId: 'A', ...query })).toBe(text);
});

describe('timeZone', () => {
  const request = (timezone: string, ...formats: Array<InsightsQuery['format']>) =>
    ({
      timezone,
      requestId: 'Q1',
      targets: formats.map((format) => ({ refId: 'A', format })),
    }) as DataQueryRequest<InsightsQuery>;

  const zones = (sent: DataQueryRequest<InsightsQuery>) =>
    sent.targets.map((query) => ('timezone' in query ? query.timezone : undefined));

  it.each(['utc', 'America/Sao_Paulo'])('sends %s as it is', (zone) => {
    expect(zones(withTimeZone(request(zone, 'timeseries')))).toEqual([zone]);
  });

  it('names the zone of the browser', () => {
    expect(zones(withTimeZone(request('browser', 'timeseries')))).toEqual(['UTC']);
  });

  it('sends it with lines only', () => {
    expect(zones(withTimeZone(request('utc', 'table', undefined, 'numeric')))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('leaves the saved query and the rest of the request alone', () => {
    const given = request('utc', 'timeseries');
    expect(withTimeZone(given)).toMatchObject({ requestId: 'Q1', timezone: 'utc' });
    expect(given.targets).toEqual([{ refId: 'A', format: 'timeseries' }]);
  });
});
