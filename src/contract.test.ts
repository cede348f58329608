import { reasons } from '../schema/attention';
import {
  comparableMeasures,
  type DataSet,
  dataSets,
  fieldNames,
  getDataSet,
  groupableFields,
  isOfWorkspace,
  namedFields,
} from '../schema/datasets';
import { changeDataSet, changeFormat, changeParts, formatsFor, groupNames, measuresFor } from './query/fit';
import { applyPreset, presets } from './query/presets';
import {
  asMeasures,
  attentionGroups,
  comparisons,
  hasOwnOrder,
  type InsightsQuery,
  measuresOf,
  operators,
  type QueryParts,
  showsMeasure,
  splitMeasure,
  units,
} from './query/query';
import { pick, randomNumbers } from './testing/random';

// Saved queries outlive this version of the plugin. Whatever users do in the editor, in any order, the result must
// contain only the contract's properties, with values that the backend accepts.

const properties = [
  ...[
    'refId',
    'queryType',
    'days',
    'search',
    'sort',
    'filters',
    'format',
    'columns',
    'limit',
    'measure',
    'measures',
    'groupBy',
  ],
  ...['timeField', 'compare', 'per', 'state', 'attention', 'total'],
];

type Random = () => number;
const names = (list: Array<{ name: string }>) => list.map(({ name }) => name);

/** One possible action in the editor, which offers only what the data set has. */
function act(random: Random, query: InsightsQuery): InsightsQuery {
  const dataSet = getDataSet(query.queryType);
  const some = <T>(items: readonly T[]) => items.filter(() => random() < 0.3);
  const tableParts = (): Partial<QueryParts> =>
    pick(random, [
      { columns: some(fieldNames(dataSet)) },
      { sort: { field: pick(random, fieldNames(dataSet)), order: 'asc' } },
    ]);
  const groupParts = (): Partial<QueryParts> =>
    pick(random, [
      asMeasures([pick(random, names(measuresFor(dataSet, query.format)))]),
      asMeasures([...new Set([...measuresOf(query), ...some(names(measuresFor(dataSet, query.format)))])]),
      asMeasures(measuresOf(query).slice(0, 1)),
      { groupBy: some(names(groupableFields(dataSet))) },
      { sort: { field: pick(random, groupNames(query)), order: 'desc' } },
    ]);
  const laneParts = (): Partial<QueryParts> =>
    pick(random, [
      { groupBy: some(names(groupableFields(dataSet))) },
      { state: pick(random, [undefined, ...names(groupableFields(dataSet))]) },
    ]);
  const attentionParts = (): Partial<QueryParts> =>
    pick(random, [
      { groupBy: [pick(random, attentionGroups)] },
      {
        attention: pick(random, [
          undefined,
          { [pick(random, reasons).name]: 0 },
          { sensitivity: 'more', ignore: ['a'] },
        ]),
      },
    ]);
  const formatParts = () =>
    ({
      table: tableParts,
      timeline: laneParts,
      attention: attentionParts,
      deadlines: () => ({}),
      numeric: groupParts,
      timeseries: groupParts,
    })[query.format ?? 'table']();
  const parts = (): Partial<QueryParts> =>
    pick(random, [
      { days: pick(random, [undefined, 1, 90]) },
      { limit: pick(random, [undefined, 10]) },
      { search: pick(random, [undefined, 'INV', '$label']) },
      { sort: undefined },
      { filters: some(fieldNames(dataSet)).map((key) => ({ key, operator: pick(random, operators), value: '1' })) },
      showsMeasure(query.format) ? { compare: pick(random, [undefined, ...comparisons]) } : {},
      query.format === 'timeseries' ? { per: pick(random, [undefined, ...units]) } : {},
      dataSet.timeFields && !hasOwnOrder(query.format)
        ? { timeField: pick(random, [undefined, 'dateLastModified' as const]) }
        : {},
      formatParts(),
      formatParts(),
    ]);
  return pick(random, [
    () => changeDataSet(query, pick(random, dataSets).name).query,
    () => changeFormat(query, pick(random, formatsFor(dataSet))).query,
    () => applyPreset(query, pick(random, presets()).query),
    ...Array.from({ length: 5 }, () => () => changeParts(query, parts()).query),
  ])();
}

/** What breaks the contract in a query. A matcher for each rule would take most of the time of these tests. */
function faults(query: InsightsQuery, dataSet: DataSet): string[] {
  const { format, groupBy = [], columns = [], filters = [], timeField, compare, per, state, attention, total } = query;
  const groupable = names(groupableFields(dataSet));
  const values = Object.values(query);
  const isIn = (listed: string[]) => (name: string) => listed.includes(name);
  const rules = {
    properties: Object.keys(query).every(isIn(properties)),
    'no empty values': values.every((value) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
    columns: columns.every(isIn(names(namedFields(dataSet)))),
    filters: filters.every(({ key }) => names(namedFields(dataSet)).includes(key)),
    groupBy: groupBy.every(isIn(groupable)),
    timeField: dataSet.timeFields !== undefined || !timeField,
    compare:
      !compare ||
      measuresOf(query)
        .map(splitMeasure)
        .some(({ measure }) => names(comparableMeasures(dataSet)).includes(measure)),
    per: !per || format === 'timeseries',
    total: !total || format === 'numeric',
    attention: !attention || format === 'attention',
    state: !state || (format === 'timeline' && groupable.includes(state)),
    ...formatRules(query, dataSet),
  };
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]));
}

/** The rules of each format. */
function formatRules(query: InsightsQuery, dataSet: DataSet): Record<string, boolean> {
  const { format, measures, groupBy = [], columns = [], sort, timeField, compare } = query;
  const isKnown = (measure: string) => names(measuresFor(dataSet, format)).includes(measure);
  const isCompared = compare !== undefined && format === 'numeric';
  const about = groupBy.filter((name) => !isOfWorkspace(dataSet, name));
  if (hasOwnOrder(format)) {
    return {
      groupBy: format === 'timeline' || (about.length < 2 && about.every((name) => attentionGroups.includes(name))),
      'has times': dataSet.timeFields !== undefined,
      'no measure, sort, or time field': measuresOf(query).length === 0 && !sort && !timeField && columns.length === 0,
    };
  }
  if (format) {
    return {
      format: ['numeric', 'timeseries'].includes(format),
      measure:
        measuresOf(query).length > 0 &&
        measuresOf(query)
          .map(splitMeasure)
          .every(({ measure, aspect }) => isKnown(measure) && (!aspect || isCompared)) &&
        (!measures || measures.length > 1),
      'no columns': columns.length === 0,
      sort: !sort || groupNames(query).includes(sort.field),
    };
  }
  return {
    'no measure': measuresOf(query).length === 0 && groupBy.length === 0,
    sort: !sort || fieldNames(dataSet).includes(sort.field),
  };
}

it.each(Array.from({ length: 20 }, (_, seed) => seed))('holds after 100 random actions (seed %d)', (seed) => {
  const random = randomNumbers(seed + 1);
  let query: InsightsQuery = { refId: 'A' };
  for (let acts = 0; acts < 100; acts++) {
    query = act(random, query);
    expect({ query, faults: faults(query, getDataSet(query.queryType)) }).toEqual({ query, faults: [] });
  }
});
