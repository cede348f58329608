import { tagKeys, tagValues, withAdHocFilters, withIgnoredFilterNotice } from './adhoc';
import { type InsightsQuery } from './query';
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

describe('withIgnoredFilterNotice', () => {
  const frame = {
    refId: 'A',
    fields: [],
    length: 0,
    meta: { notices: [{ severity: 'warning' as const, text: 'cut' }] },
  };
  const on = (...keys: string[]) => keys.map((key) => ({ key, operator: '=', value: 'x' }));

  it('reports which fields a data set does not have, in addition to other notices', () => {
    const { meta } = withIgnoredFilterNotice(
      frame,
      { refId: 'A', queryType: 'automations' },
      on('finishStatus', 'label', 'state')
    );
    expect(meta?.notices).toEqual([
      { severity: 'warning', text: 'cut' },
      { severity: 'info', text: 'Not filtered by finishStatus, state: does not apply to Automations' },
    ]);
  });

  it.each([
    ['its own fields', on('state', 'machineId')],
    ['fields that only the service knows', on('region')],
    ['no filters', undefined],
  ])('reports nothing for %s', (_, filters) => {
    expect(withIgnoredFilterNotice(frame, { refId: 'A' }, filters)).toBe(frame);
  });
});

describe('tagKeys', () => {
  it('offers the fields of the data sets that the queries use', () => {
    const keys = tagKeys([{ refId: 'A', queryType: 'runners' }]);
    expect(keys.map(({ text }) => text)).toEqual(['_id', 'tasks', 'items', 'itemsErrorCount', 'utilizationRate']);
    expect(keys[0]).toEqual({ text: '_id', value: '_id' });
  });

  it('offers every field once if there are no queries yet', () => {
    const names = tagKeys(undefined).map(({ text }) => text);
    expect(names).toEqual(expect.arrayContaining(['state', 'successRate', 'utilizationRate']));
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('tagValues', () => {
  it('combines the values of the data sets, each value once', async () => {
    const getResource = jest.fn(async (_: string, params?: Record<string, unknown>) =>
      params?.queryType === 'tasks' ? [{ value: 'A', text: 'A' }] : ['A', 'B'].map((value) => ({ value, text: value }))
    );
    const source = { getResource: getResource as SuggestionSource['getResource'] };
    const queries: InsightsQuery[] = [{ refId: 'A' }, { refId: 'B', queryType: 'automations' }];
    expect(await tagValues(source, 'repositoryLabel', queries, 7)).toEqual([
      { value: 'A', text: 'A' },
      { value: 'B', text: 'B' },
    ]);
    expect(getResource.mock.calls.map(([path, params]) => [path, params])).toEqual([
      ['values', { queryType: 'tasks', field: 'repositoryLabel', days: 7, search: undefined }],
      ['values', { queryType: 'automations', field: 'repositoryLabel', days: 7, search: undefined }],
    ]);
  });

  it('are those of the calendar for fields that are derived from it', async () => {
    const getResource = jest.fn();
    expect(await tagValues({ getResource }, 'weekday', [{ refId: 'A' }], 7)).toHaveLength(7);
    expect(await tagValues({ getResource }, 'hour', undefined, 7)).toHaveLength(24);
    expect(getResource).not.toHaveBeenCalled();
  });

  it('requests nothing from data sets that do not have the field', async () => {
    const getResource = jest.fn();
    expect(await tagValues({ getResource }, 'state', [{ refId: 'A', queryType: 'runners' }], 7)).toEqual([]);
    expect(getResource).not.toHaveBeenCalled();
  });
});
