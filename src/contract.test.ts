import {
  comparableMeasures,
  type DataSet,
  dataSets,
  fieldNames,
  getDataSet,
  groupableFields,
} from '../datasets/datasets';
import { changeDataSet, changeFormat, changeParts, formatsFor, groupNames, measuresFor } from './fit';
import { applyPreset, presets } from './presets';
import { comparisons, type InsightsQuery, operators, type QueryParts, showsMeasure, units } from './query';
import { pick, randomNumbers } from './testing/random';

// Saved queries outlive this version of the plugin. Whatever users do in the editor, in any order, the result must
// contain only the contract's properties, with values that the backend accepts.

const properties = [
  ...['refId', 'queryType', 'days', 'search', 'sort', 'filters', 'format', 'columns', 'limit', 'measure', 'groupBy'],
  ...['timeField', 'compare', 'per', 'state'],
];

type Random = () => number;
const names = (list: Array<{ name: string }>) => list.map(({ name }) => name);

/** One possible action in the editor, which offers only what the data set has. */
function act(random: Random, query: InsightsQuery): InsightsQuery {
  const dataSet = getDataSet(query.queryType);
  const some = <T>(items: readonly T[]) => items.filter(() => random() < 0.3);
  const isTable = !query.format;
  const isTimeline = query.format === 'timeline';
  const tableParts = (): Partial<QueryParts> =>
    pick(random, [
      { columns: some(fieldNames(dataSet)) },
      { sort: { field: pick(random, fieldNames(dataSet)), order: 'asc' } },
    ]);
  const groupParts = (): Partial<QueryParts> =>
    pick(random, [
      { measure: pick(random, names(measuresFor(dataSet, query.format))) },
      { groupBy: some(names(groupableFields(dataSet))) },
      { sort: { field: pick(random, groupNames(query)), order: 'desc' } },
    ]);
  const laneParts = (): Partial<QueryParts> =>
    pick(random, [
      { groupBy: some(names(groupableFields(dataSet))) },
      { state: pick(random, [undefined, ...names(groupableFields(dataSet))]) },
    ]);
  const parts = (): Partial<QueryParts> =>
    pick(random, [
      { days: pick(random, [undefined, 1, 90]) },
      { limit: pick(random, [undefined, 10]) },
      { search: pick(random, [undefined, 'INV', '$label']) },
      { sort: undefined },
      { filters: some(fieldNames(dataSet)).map((key) => ({ key, operator: pick(random, operators), value: '1' })) },
      showsMeasure(query.format) ? { compare: pick(random, [undefined, ...comparisons]) } : {},
      query.format === 'timeseries' ? { per: pick(random, [undefined, ...units]) } : {},
      dataSet.timeFields && !isTimeline ? { timeField: pick(random, [undefined, 'dateLastModified' as const]) } : {},
      isTimeline ? laneParts() : isTable ? tableParts() : groupParts(),
      isTimeline ? laneParts() : isTable ? tableParts() : groupParts(),
    ]);
  return pick(random, [
    () => changeDataSet(query, pick(random, dataSets).name).query,
    () => changeFormat(query, pick(random, formatsFor(dataSet))).query,
    () => applyPreset(query, pick(random, presets()).query),
    ...Array.from({ length: 5 }, () => () => changeParts(query, parts()).query),
  ])();
}

const unlisted = (some: string[], listed: string[]) => some.filter((name) => !listed.includes(name));

function expectContract(query: InsightsQuery, dataSet: DataSet) {
  const { format, measure, groupBy = [], columns = [], sort, filters = [], timeField, compare, per, state } = query;
  expect(unlisted(Object.keys(query), properties)).toEqual([]);
  expect(Object.values(query)).not.toContain(undefined);
  expect(Object.values(query)).not.toContainEqual([]);
  expect(unlisted([...columns, ...filters.map(({ key }) => key)], fieldNames(dataSet))).toEqual([]);
  expect(unlisted(groupBy, names(groupableFields(dataSet)))).toEqual([]);
  expect(dataSet.timeFields !== undefined || !timeField).toBe(true);
  expect(!compare || names(comparableMeasures(dataSet)).includes(measure ?? '')).toBe(true);
  expect(!per || format === 'timeseries').toBe(true);
  expect(!state || (format === 'timeline' && names(groupableFields(dataSet)).includes(state))).toBe(true);
  if (format === 'timeline') {
    expect(dataSet.timeFields).toBeDefined();
    expect([measure, sort, timeField, columns]).toEqual([undefined, undefined, undefined, []]);
  } else if (format) {
    expect(['numeric', 'timeseries']).toContain(format);
    expect(names(measuresFor(dataSet, format))).toContain(measure);
    expect(columns).toEqual([]);
    expect(sort ? groupNames(query) : [undefined]).toContain(sort?.field);
  } else {
    expect([measure, groupBy]).toEqual([undefined, []]);
    expect(sort ? fieldNames(dataSet) : [undefined]).toContain(sort?.field);
  }
}

it.each(Array.from({ length: 20 }, (_, seed) => seed))('holds after 100 random actions (seed %d)', (seed) => {
  const random = randomNumbers(seed + 1);
  let query: InsightsQuery = { refId: 'A' };
  for (let acts = 0; acts < 100; acts++) {
    query = act(random, query);
    expectContract(query, getDataSet(query.queryType));
  }
});
