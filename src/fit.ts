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
  showsMeasure,
  units,
  withParts,
} from './query';

/** A part of a query that doesn't apply to a new data set or format. */
export interface Dropped {
  part: Exclude<keyof QueryParts, 'queryType' | 'days' | 'limit' | 'timezone'>;
  value: string;
}

/** A query after a change, and the parts that the change dropped. */
export interface Fitted {
  query: InsightsQuery;
  dropped: Dropped[];
}

/** Names of the same thing in different data sets. */
const equals: Array<Partial<Record<DataSetName, string>>> = [
  { tasks: 'activityLabel', automations: 'label' },
  { tasks: 'tasks', automations: 'taskCount', runners: 'tasks' },
];

/** Changes the data set, and keeps what still applies, with its name in the new data set. */
export function changeDataSet(query: InsightsQuery, queryType: DataSetName): Fitted {
  const { search } = query;
  const keepsSearch = !search || isVariable(search) || searched(query.queryType) === searched(queryType);
  const renamed = withEquals(query, queryType);
  const fitted = fit(withParts(renamed, { queryType, search: keepsSearch ? search : undefined }));
  return keepsSearch ? fitted : { ...fitted, dropped: [{ part: 'search', value: search }, ...fitted.dropped] };
}

/** Renames fields and measures for the new data set. A name that only its measures have is not one of its fields. */
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

/** Changes the format, and keeps what still applies. Groups make no lanes: a timeline starts with one for each runner. */
export function changeFormat(query: InsightsQuery, format: Format): Fitted {
  const changed = withParts(query, { format: format === defaultFormat ? undefined : format });
  const { groupBy = [] } = query;
  if (groupBy.length === 0 || format === query.format || (format !== 'timeline' && query.format !== 'timeline')) {
    return fit(changed);
  }
  const { query: fitted, dropped } = fit(withParts(changed, { groupBy: undefined }));
  return { query: fitted, dropped: [...groupBy.map((value) => ({ part: 'groupBy' as const, value })), ...dropped] };
}

/** Changes other parts. Groups can only be sorted by their measure and their labels. */
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
  if (!showsMeasure(format) || !sort || isVariable(sort.field) || groupNames(changed).includes(sort.field)) {
    return { query: changed, dropped: [] };
  }
  return { query: withParts(changed, { sort: undefined }), dropped: [{ part: 'sort', value: sort.field }] };
}

/** The formats of a data set: only tasks say when they ran. */
export function formatsFor({ timeFields }: DataSet): Format[] {
  return timeFields ? ['table', 'numeric', 'timeseries', 'timeline'] : ['table', 'numeric', 'timeseries'];
}

/** Measures of a data set that a format supports. */
export function measuresFor(dataSet: DataSet, format: Format | undefined): Measure[] {
  return format === 'timeseries' ? drawnMeasures(dataSet) : measures(dataSet);
}

/** Whether an earlier value is known for what a query shows. */
export function isComparable({ queryType, format = defaultFormat, measure = '' }: InsightsQuery): boolean {
  const names = comparableMeasures(getDataSet(queryType)).map(({ name }) => name);
  return showsMeasure(format) && (isVariable(measure) || names.includes(measure));
}

/** Whether a query is a line of totals: its points are differences of totals, whole days apart. */
export function isLineOfSums({ queryType, format }: Pick<InsightsQuery, 'queryType' | 'format'>): boolean {
  return format === 'timeseries' && !getDataSet(queryType).timeFields;
}

/** Whether a text contains a dashboard variable, whose value is unknown here. */
export function isVariable(text: string): boolean {
  return /\$\w|\$\{|\[\[/.test(text);
}

/** The measure and the labels of each number or line. */
export function groupNames({ measure, groupBy = [] }: InsightsQuery): string[] {
  return measure ? [measure, ...groupBy] : groupBy;
}

/** What a search looks for: the label of an automation, in every data set that has it, or a field of its own. */
function searched(queryType: DataSetName | undefined): string {
  const { name, searchField, automationField } = getDataSet(queryType);
  return searchField === automationField ? 'automation' : name;
}

/** Drops what doesn't apply to the data set or the format of a query, and selects a measure if one is needed. */
function fit(query: InsightsQuery): Fitted {
  const dataSet = getDataSet(query.queryType);
  const isTimeline = query.format === 'timeline';
  if (isTimeline && !formatsFor(dataSet).includes('timeline')) {
    const table = changeFormat(query, defaultFormat);
    return { ...table, dropped: [{ part: 'format', value: 'timeline' }, ...table.dropped] };
  }
  const dropped: Dropped[] = [];
  const applies = (part: Dropped['part'], value: string | undefined, allowed: readonly string[]) => {
    if (value === undefined || isVariable(value) || allowed.includes(value)) {
      return true;
    }
    dropped.push({ part, value });
    return false;
  };

  const fields = namedFields(dataSet).map(({ name }) => name);
  const offered = measuresFor(dataSet, query.format).map(({ name }) => name);
  const groupable = groupableFields(dataSet).map(({ name }) => name);
  const isTable = (query.format ?? defaultFormat) === defaultFormat;
  const hasMeasure = showsMeasure(query.format);

  const parts: Partial<QueryParts> = {
    filters: query.filters?.filter(({ key }) => applies('filters', key, fields)),
    columns: query.columns?.filter((name) => applies('columns', name, isTable ? fields : [])),
    measure: applies('measure', query.measure, hasMeasure ? offered : []) ? query.measure : undefined,
    groupBy: query.groupBy?.filter((name) => applies('groupBy', name, isTable ? [] : groupable)),
    timeField: applies('timeField', query.timeField, isTimeline ? [] : (dataSet.timeFields ?? []))
      ? query.timeField
      : undefined,
    state: applies('state', query.state, isTimeline ? groupable : []) ? query.state : undefined,
  };
  if (hasMeasure) {
    parts.measure ??= offered[0];
  }
  const fitted = withParts(query, parts);
  const { sort, compare, per } = query;
  const rest: Partial<QueryParts> = {
    sort: applies('sort', sort?.field, isTable ? fields : hasMeasure ? groupNames(fitted) : []) ? sort : undefined,
    compare: applies('compare', compare, isComparable(fitted) ? comparisons : []) ? compare : undefined,
    per: applies('per', per, query.format === 'timeseries' ? units : []) ? per : undefined,
  };
  return { query: withParts(fitted, rest), dropped };
}
