import { of } from 'rxjs';

import {
  createDataFrame,
  type DataFrame,
  type DataQueryRequest,
  dateTime,
  FieldType,
  type TimeRange,
} from '@grafana/data';

import { ignoredFilterNotice, tagKeys, tagValues, withAdHocFilters } from './adhoc';
import { type InsightsQuery } from '../query/query';
import { type SuggestionSource } from './suggestions';

const query: InsightsQuery = { refId: 'A', filters: [{ key: 'state', operator: '=', value: 'FINISHED' }] };

describe('withAdHocFilters', () => {
  it('adds the filters of the dashboard to those of the query', () => {
    expect(withAdHocFilters(query, [{ key: 'machineId', operator: '!=', value: '7' }]).filters).toEqual([
      { key: 'state', operator: '=', value: 'FINISHED' },
      { key: 'machineId', operator: '!=', value: '7' },
    ]);
  });

  it('accepts several values, or a single one', () => {
    const added = withAdHocFilters({ refId: 'A' }, [
      { key: 'state', operator: '=|', value: 'START', values: ['START', 'RUNNING'] },
      { key: 'state', operator: '!=|', value: 'TIMEOUT' },
    ]);
    expect(added.filters).toEqual([
      { key: 'state', operator: '=|', values: ['START', 'RUNNING'] },
      { key: 'state', operator: '!=|', values: ['TIMEOUT'] },
    ]);
  });

  it('leaves out a field of another data set', () => {
    const runners: InsightsQuery = { refId: 'A', queryType: 'runners' };
    expect(withAdHocFilters(runners, [{ key: 'state', operator: '=', value: 'START' }])).toStrictEqual(runners);
  });

  it('filters only tasks by derived fields', () => {
    const filter = { key: 'duration', operator: '>', value: '60' } as const;
    expect(withAdHocFilters({ refId: 'A' }, [filter]).filters).toEqual([filter]);
    const runners: InsightsQuery = { refId: 'A', queryType: 'runners' };
    expect(withAdHocFilters(runners, [filter])).toStrictEqual(runners);
  });

  it('keeps a field that no data set describes: the service may have added it', () => {
    const filter = { key: 'priority', operator: '>', value: '3' } as const;
    expect(withAdHocFilters({ refId: 'A' }, [filter]).filters).toEqual([filter]);
  });

  it('keeps an operator that only Grafana knows, for the backend to report', () => {
    const filter = { key: 'totalItems', operator: '>=', value: '3' };
    expect(withAdHocFilters({ refId: 'A' }, [filter]).filters).toEqual([filter]);
  });

  it('changes nothing without filters', () => {
    expect(withAdHocFilters(query)).toEqual(query);
  });
});

describe('ignoredFilterNotice', () => {
  const on = (...keys: string[]) => keys.map((key) => ({ key, operator: '=', value: 'x' }));

  it('names the fields that a data set does not have', () => {
    const query: InsightsQuery = { refId: 'A', queryType: 'automations' };
    expect(ignoredFilterNotice(query, on('finishStatus', 'label', 'state'))).toEqual({
      severity: 'info',
      text: 'Not filtered by finishStatus, state: does not apply to Automations',
    });
  });

  it.each([
    ['its own fields', on('state', 'machineId')],
    ['fields that only the service knows', on('region')],
    ['no filters', undefined],
  ])('says nothing for %s', (_, filters) => {
    expect(ignoredFilterNotice({ refId: 'A' }, filters)).toBeUndefined();
  });
});

describe('tagKeys', () => {
  it('offers the fields of the data sets that the queries use, by their labels and their names', () => {
    const keys = tagKeys([{ refId: 'A', queryType: 'runners' }]);
    expect(keys.map(({ value }) => value)).toEqual([
      ...['_id', 'tasks', 'items', 'itemsErrorCount', 'utilizationRate'],
      ...['organizationLabel', 'dataSource'],
    ]);
    expect(keys[3]).toEqual({ text: 'Failed items · itemsErrorCount', value: 'itemsErrorCount' });
  });

  it('offers every field once if there are no queries yet', () => {
    const names = tagKeys(undefined).map(({ value }) => value);
    expect(names).toEqual(expect.arrayContaining(['state', 'successRate', 'utilizationRate']));
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('tagValues', () => {
  const byDataSet = async (_: string, params?: Record<string, unknown>) =>
    (params?.queryType === 'tasks' ? ['A'] : ['A', 'B']).map((value) => ({ value, text: value }));

  function sourceWith(frame: DataFrame | Error = createDataFrame({ fields: [] })) {
    const response = frame instanceof Error ? { data: [], error: { message: frame.message } } : { data: [frame] };
    const query = jest.fn((_: DataQueryRequest<InsightsQuery>) => of(response));
    const getResource = jest.fn(byDataSet);
    return { query, getResource, source: { query, getResource: getResource as SuggestionSource['getResource'] } };
  }
  const range = { from: dateTime().subtract(7, 'days'), to: dateTime() };
  const timeRange: TimeRange = { ...range, raw: range };
  const tasks: InsightsQuery[] = [{ refId: 'A' }];

  it('combines the values of the data sets, each value once', async () => {
    const { source, getResource } = sourceWith();
    const queries: InsightsQuery[] = [...tasks, { refId: 'B', queryType: 'automations' }];
    expect(await tagValues(source, { key: 'repositoryLabel', queries, timeRange, filters: [] })).toEqual([
      { value: 'A', text: 'A' },
      { value: 'B', text: 'B' },
    ]);
    expect(getResource.mock.calls.map(([path, params]) => [path, params])).toEqual([
      ['values', { queryType: 'tasks', field: 'repositoryLabel', days: 7, search: undefined }],
      ['values', { queryType: 'automations', field: 'repositoryLabel', days: 7, search: undefined }],
    ]);
  });

  it('are those of the calendar for fields that are derived from it', async () => {
    const { source, getResource } = sourceWith();
    expect(await tagValues(source, { key: 'weekday', queries: tasks, filters: [] })).toHaveLength(7);
    expect(await tagValues(source, { key: 'hour', filters: [] })).toHaveLength(24);
    expect(getResource).not.toHaveBeenCalled();
  });

  it('requests nothing from data sets that do not have the field', async () => {
    const { source, getResource } = sourceWith();
    const queries: InsightsQuery[] = [{ refId: 'A', queryType: 'runners' }];
    expect(await tagValues(source, { key: 'state', queries, filters: [] })).toEqual([]);
    expect(getResource).not.toHaveBeenCalled();
  });

  describe('next to other filters', () => {
    const filters = [
      { key: 'finishStatus', operator: '=', value: 'FAILED' },
      { key: 'successRate', operator: '<', value: '1' },
    ];

    it('are those of the rows that match, by the filters that the data set knows', async () => {
      const frame = createDataFrame({
        fields: [{ name: 'machineId', values: ['m-1', 'm-2'], type: FieldType.string }],
      });
      const { source, query, getResource } = sourceWith(frame);
      expect(await tagValues(source, { key: 'machineId', queries: tasks, timeRange, filters })).toEqual([
        { value: 'm-1', text: 'm-1' },
        { value: 'm-2', text: 'm-2' },
      ]);
      expect(getResource).not.toHaveBeenCalled();
      const [request] = query.mock.calls[0];
      expect(request.filters).toEqual([filters[0]]);
      expect(request.targets).toMatchObject([{ queryType: 'tasks', days: 7, groupBy: ['machineId'], shape: 'long' }]);
    });

    it('are all values of a field that cannot be a group, or if no other filter applies', async () => {
      const { source, query } = sourceWith();
      expect(await tagValues(source, { key: 'id', queries: tasks, filters })).toHaveLength(1);
      expect(await tagValues(source, { key: 'machineId', queries: tasks, filters: [filters[1]] })).toHaveLength(1);
      expect(query).not.toHaveBeenCalled();
    });

    it('or the reason why there are none', async () => {
      const { source } = sourceWith(new Error('the service is down'));
      await expect(tagValues(source, { key: 'machineId', queries: tasks, filters })).rejects.toThrow(
        'the service is down'
      );
    });
  });
});
