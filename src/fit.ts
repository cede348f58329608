import {
  comparableMeasures,
  type DataSet,
  type DataSetName,
  drawnMeasures,
  getDataSet,
  groupableFields,
  type Measure,
  measures,
  namedFields,
} from '../datasets/datasets';
import {
  comparisons,
  defaultFormat,
  type Format,
  type InsightsQuery,
  type QueryParts,
  type TimeField,
  units,
  withParts,
} from './query';

/** A part of a query that a new data set or format has no use for. */
export interface Dropped {
  part: 'search' | 'sort' | 'filter' | 'column' | 'measure' | 'groupBy' | 'timeField' | 'compare' | 'per';
  value: string;
}

/** A query after a change, and what the change cost. */
export interface Fitted {
  query: InsightsQuery;
  dropped: Dropped[];
}

/** Names that data sets have for one thing. */
const equals: Array<Partial<Record<DataSetName, string>>> = [
  { tasks: 'activityLabel', automations: 'label' },
  { tasks: 'tasks', automations: 'taskCount', runners: 'tasks' },
];

/** Asks another data set, keeping what still applies, under the name that it has there. */
export function changeDataSet(query: InsightsQuery, queryType: DataSetName): Fitted {
  const { search } = query;
  const keepsSearch = !search || isVariable(search) || isRunners(query.queryType) === isRunners(queryType);
  const renamed = withEquals(query, queryType);
  const fitted = fit(withParts(renamed, { queryType, search: keepsSearch ? search : undefined }));
  return keepsSearch ? fitted : { ...fitted, dropped: [{ part: 'search', value: search }, ...fitted.dropped] };
}

/** The query with the names that the new data set has; a name that only its measures have is none of its fields. */
function withEquals(query: InsightsQuery, queryType: DataSetName): InsightsQuery {
  const [from, to] = [getDataSet(query.queryType).name, getDataSet(queryType)];
  const fields = namedFields(to).map(({ name }) => name);
  const both = [...fields, ...measures(to).map(({ name }) => name)];
  const rename = (name: string, known: string[]) => {
    const equal = equals.find((names) => names[from] === name)?.[to.name];
    return equal && known.includes(equal) ? equal : name;
  };
  const { sort, filters, columns, measure, groupBy, format = defaultFormat } = query;
  return withParts(query, {
    sort: sort && { ...sort, field: rename(sort.field, format === defaultFormat ? fields : both) },
    filters: filters?.map((filter) => ({ ...filter, key: rename(filter.key, fields) })),
    columns: columns?.map((name) => rename(name, fields)),
    measure: measure && rename(measure, both),
    groupBy: groupBy?.map((name) => rename(name, fields)),
  });
}

/** Shows the rows in another way, keeping what still applies. */
export function changeFormat(query: InsightsQuery, format: Format): Fitted {
  return fit(withParts(query, { format: format === defaultFormat ? undefined : format }));
}

/** Changes other parts. Groups can only be sorted by what they have: their measure and their labels. */
export function changeParts(query: InsightsQuery, parts: Partial<QueryParts>): Fitted {
  const changed = withParts(query, parts);
  const { compare } = changed;
  if (compare && !isVariable(compare) && !isComparable(changed)) {
    const fitted = withSort(withParts(changed, { compare: undefined }));
    return { ...fitted, dropped: [{ part: 'compare', value: compare }, ...fitted.dropped] };
  }
  return withSort(changed);
}

function withSort(changed: InsightsQuery): Fitted {
  const { sort, format } = changed;
  if (
    !format ||
    format === defaultFormat ||
    !sort ||
    isVariable(sort.field) ||
    groupNames(changed).includes(sort.field)
  ) {
    return { query: changed, dropped: [] };
  }
  return { query: withParts(changed, { sort: undefined }), dropped: [{ part: 'sort', value: sort.field }] };
}

/** Measures that a data set has for a format. */
export function measuresFor(dataSet: DataSet, format: Format | undefined): Measure[] {
  return format === 'timeseries' ? drawnMeasures(dataSet) : measures(dataSet);
}

/** Whether an earlier time is known for what a query shows. */
export function isComparable({ queryType, format = defaultFormat, measure = '' }: InsightsQuery): boolean {
  const names = comparableMeasures(getDataSet(queryType)).map(({ name }) => name);
  return format !== 'table' && (isVariable(measure) || names.includes(measure));
}

/** A line of what the service adds up: its points are differences of sums, whole days apart. */
export function isLineOfSums({ queryType, format }: Pick<InsightsQuery, 'queryType' | 'format'>): boolean {
  return format === 'timeseries' && !getDataSet(queryType).timeFields;
}

/** A text with a dashboard variable: what it stands for is not known here. */
export function isVariable(text: string): boolean {
  return /\$\w|\$\{|\[\[/.test(text);
}

/** What each number or line has: its measure and its labels. */
export function groupNames({ measure, groupBy = [] }: InsightsQuery): string[] {
  return measure ? [measure, ...groupBy] : groupBy;
}

function isRunners(queryType: DataSetName | undefined): boolean {
  return queryType === 'runners';
}

/** Drops what the data set or the format of a query cannot use, and chooses a measure where one is needed. */
function fit(query: InsightsQuery): Fitted {
  const dataSet = getDataSet(query.queryType);
  const dropped: Dropped[] = [];
  const keep = <T>(
    part: Dropped['part'],
    value: T | undefined,
    name: (value: T) => string,
    allowed: readonly string[]
  ) => {
    if (value === undefined || isVariable(name(value)) || allowed.includes(name(value))) {
      return value;
    }
    dropped.push({ part, value: name(value) });
    return undefined;
  };
  const keepAll = <T>(part: Dropped['part'], list: T[] | undefined, name: (value: T) => string, allowed: string[]) =>
    list?.flatMap((value) => keep(part, value, name, allowed) ?? []);

  const fields = namedFields(dataSet).map(({ name }) => name);
  const offered = measuresFor(dataSet, query.format).map(({ name }) => name);
  const groupable = groupableFields(dataSet).map(({ name }) => name);
  const isTable = (query.format ?? defaultFormat) === defaultFormat;

  const parts: Partial<QueryParts> = {
    filters: keepAll('filter', query.filters, ({ key }) => key, fields),
    columns: keepAll('column', query.columns, String, isTable ? fields : []),
    measure: keep('measure', query.measure, String, isTable ? [] : offered),
    groupBy: keepAll('groupBy', query.groupBy, String, isTable ? [] : groupable),
    timeField: keep('timeField', query.timeField, String, dataSet.timeFields ?? []) as TimeField | undefined,
  };
  if (!isTable) {
    parts.measure ??= offered[0];
  }
  const fitted = withParts(query, parts);
  const sort = keep('sort', query.sort, ({ field }) => field, isTable ? fields : groupNames(fitted));
  const compare = keep('compare', query.compare, String, isComparable(fitted) ? comparisons : []);
  const per = keep('per', query.per, String, query.format === 'timeseries' ? units : []);
  return { query: withParts(fitted, { sort, compare, per }), dropped };
}
