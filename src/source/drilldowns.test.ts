import { dataSets, groupableFields } from '../../schema/datasets';
import { drilldownsApplicability, groupByKeys, withGroupByKeys } from './drilldowns';
import { type InsightsQuery } from '../query/query';

const table: InsightsQuery = { refId: 'A' };
const tasks: InsightsQuery = { refId: 'B', format: 'numeric', measure: 'tasks' };
const automations: InsightsQuery = { refId: 'C', queryType: 'automations', format: 'numeric', measure: 'savings' };

describe('withGroupByKeys', () => {
  it.each<[string, InsightsQuery, string[] | undefined, string[] | undefined]>([
    ['nothing is grouped', tasks, undefined, undefined],
    ["a number by the dashboard's grouping", tasks, ['machineId'], ['machineId']],
    [
      'in addition to its own labels, each once',
      { ...tasks, groupBy: ['state'] },
      ['machineId', 'state'],
      ['state', 'machineId'],
    ],
    ['a line', { ...tasks, format: 'timeseries' }, ['activityLabel'], ['activityLabel']],
    ['not by fields that cannot be labels', tasks, ['id', 'dateCreation'], undefined],
    ['not by a field of another data set', automations, ['state', 'label'], ['label']],
    ['a timeline, which keeps its lanes', { refId: 'A', format: 'timeline' }, ['state'], ['machineId', 'state']],
    ['not a table', table, ['machineId'], undefined],
  ])('%s', (_, query, keys, groupBy) => {
    expect(withGroupByKeys(query, keys)).toEqual({ ...query, ...(groupBy && { groupBy }) });
  });
});

describe('groupByKeys', () => {
  const names = (queries?: InsightsQuery[]) => groupByKeys(queries).map(({ value }) => value);

  it('are the fields that can be labels, of the data sets that the queries use', () => {
    expect(names([tasks])).toEqual(groupableFields(dataSets[0]).map(({ name }) => name));
    expect(names([tasks, automations])).toContain('repositoryLabel');
    expect(names([automations])).not.toContain('state');
  });

  it('are those of all data sets, each once, if there are no queries', () => {
    const all = new Set(dataSets.flatMap(groupableFields).map(({ name }) => name));
    expect(names()).toEqual([...all]);
  });
});

describe('drilldownsApplicability', () => {
  const filter = (key: string, origin?: 'dashboard') => ({ key, operator: '=', value: 'x', origin });

  it.each<[string, Parameters<typeof drilldownsApplicability>[0], object[]]>([
    [
      'a filter on a field of the data set',
      { queries: [tasks], filters: [filter('state')] },
      [{ key: 'state', applicable: true }],
    ],
    [
      'a filter of the dashboard itself',
      { queries: [tasks], filters: [filter('state', 'dashboard')] },
      [{ key: 'state', applicable: true, origin: 'dashboard' }],
    ],
    [
      'a filter on a field of another data set',
      { queries: [automations], filters: [filter('state')] },
      [{ key: 'state', applicable: false, reason: 'Automations have no field state' }],
    ],
    [
      'a filter on a field that only the service knows',
      { queries: [automations], filters: [filter('fieldOfTomorrow')] },
      [{ key: 'fieldOfTomorrow', applicable: true }],
    ],
    [
      'only one of several queries has it',
      { queries: [automations, table], filters: [filter('state')] },
      [{ key: 'state', applicable: true }],
    ],
    ['a label', { queries: [tasks], groupByKeys: ['state'] }, [{ key: 'state', applicable: true }]],
    [
      'a table',
      { queries: [table], groupByKeys: ['state'] },
      [{ key: 'state', applicable: false, reason: 'Tables cannot be grouped' }],
    ],
    [
      'a field that is not a label',
      { queries: [tasks], groupByKeys: ['id'] },
      [{ key: 'id', applicable: false, reason: 'Tasks cannot be grouped by id' }],
    ],
    [
      'nothing to check',
      { groupByKeys: ['id'], filters: [filter('x')] },
      [
        { key: 'x', applicable: true },
        { key: 'id', applicable: true },
      ],
    ],
  ])('%s', (_, options, expected) => {
    expect(drilldownsApplicability(options)).toEqual(expected);
  });
});
