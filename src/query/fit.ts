import { isEqual } from 'lodash';

import {
  comparableMeasures,
  type DataSet,
  type DataSetName,
  drawnMeasures,
  type Field,
  getDataSet,
  groupableFields,
  type Measure,
  measures,
  type Named,
  namedFields,
  teamField,
} from '../../schema/datasets';
import { describedAs, type Part, partNames } from './parts';
import {
  asMeasures,
  type Aspect,
  aspects,
  attentionGroups,
  type Compare,
  comparisons,
  defaultFormat,
  type Filter,
  type Format,
  hasOwnOrder,
  type InsightsQuery,
  isEmpty,
  isVariable,
  measuresOf,
  type QueryParts,
  showsMeasure,
  splitMeasure,
  taskColumns,
  units,
  withParts,
} from './query';
import { shownFilter } from './shown';

/** A query after a change, and the other parts that the change reset, because they don't apply any more. */
export interface Fitted {
  query: InsightsQuery;
  reset: Part[];
}

/** Changes the data set, and resets what the new one doesn't have. */
export function changeDataSet(query: InsightsQuery, queryType: DataSetName): Fitted {
  const isSearched = searched(query.queryType) === searched(queryType) || isVariable(query.search);
  const search = isSearched ? query.search : undefined;
  const fields = namesOf(namedFields(getDataSet(queryType)));
  const isKept = ({ key }: Filter) => [key, queryType].some(isVariable) || fields.includes(key);
  const filters = query.filters?.filter((saved) => isKept(shownFilter(saved)));
  return fitted(query, { queryType }, fit(withParts(query, { queryType, search, filters })));
}

/** Changes the format, and resets what the new one doesn't have. A format with its own order starts with its own groups. */
export function changeFormat(query: InsightsQuery, format: Format): Fitted {
  const changesGroups = format !== query.format && [format, query.format].some(hasOwnOrder);
  const groupBy = changesGroups ? undefined : query.groupBy;
  const parts = { format: format === defaultFormat ? undefined : format };
  return fitted(query, parts, fit(withParts(query, { ...parts, groupBy })));
}

/** Changes other parts, and resets a sort or a comparison that the new measure or groups don't have. */
export function changeParts(query: InsightsQuery, parts: Partial<QueryParts>): Fitted {
  return fitted(query, parts, fitToMeasure(withParts(query, parts)));
}

function fitted(before: InsightsQuery, requested: Partial<QueryParts>, query: InsightsQuery): Fitted {
  const isReset = (name: Part) =>
    !(name in requested) && isSelected(before, name) && !isEqual(before[name], query[name]);
  return { query, reset: partNames.filter(isReset) };
}

/** Whether a part was selected. The columns of a new table were not. */
function isSelected(query: InsightsQuery, name: keyof QueryParts): boolean {
  return name in query && !(name === 'columns' && isEqual(query.columns, taskColumns));
}

/** The columns of a table that was just selected: the remaining ones, or else those of a new table. */
function tableColumns({ name }: DataSet, remaining: string[] = []): string[] | undefined {
  return remaining.length === 0 && name === 'tasks' ? taskColumns : remaining;
}

/** The formats of a data set: only tasks say when they ran. */
export function formatsFor({ timeFields }: DataSet): Format[] {
  return timeFields
    ? ['table', 'attention', 'numeric', 'timeseries', 'timeline', 'deadlines']
    : ['table', 'numeric', 'timeseries'];
}

const isPartOf = (format: Format, part: Part): boolean => describedAs(part).formats?.includes(format) ?? true;

/** Whether a part has an effect on a query. A variable can be any format. */
export function isOffered(query: InsightsQuery, part: Part): boolean {
  const { queryType, format = defaultFormat } = query;
  const hasEffect: Partial<Record<Part, boolean>> = {
    compare: isComparable(query),
    timeField: Boolean(getDataSet(queryType).timeFields),
  };
  return isVariable(format) ? part !== 'timezone' : isPartOf(format, part) && (hasEffect[part] ?? true);
}

/** Whether a part has a control: it has an effect, or it is saved, so that it can be seen and removed. */
export const isShown = (query: InsightsQuery, part: Part): boolean => isOffered(query, part) || !isEmpty(query[part]);

/** Measures of a data set that a format supports. */
export function measuresFor(dataSet: DataSet, format: Format | undefined): Measure[] {
  return format === 'timeseries' ? drawnMeasures(dataSet) : measures(dataSet);
}

/** The fields that a format can group by. What needs attention is an automation or a runner of a workspace. */
export function groupsFor(dataSet: DataSet, format: Format | undefined): Field[] {
  const isOffered = ({ name, workspace }: Field) =>
    format !== 'attention' || workspace === true || [...attentionGroups, teamField].includes(name);
  return groupableFields(dataSet).filter(isOffered);
}

/** Whether an earlier value is known for what a query shows. */
function isComparable(query: InsightsQuery): boolean {
  const { queryType, format = defaultFormat } = query;
  const names = namesOf(comparableMeasures(getDataSet(queryType)));
  return (
    showsMeasure(format) &&
    measuresOf(query).some((name) => isVariable(name) || names.includes(splitMeasure(name).measure))
  );
}

/** What a query can say of a measure: of a comparison, and of a sum of whole days. */
export function aspectsOf({ queryType, format, compare }: InsightsQuery, measure: string): Aspect[] {
  const dataSet = getDataSet(queryType);
  const isSum = !dataSet.timeFields && namesOf(drawnMeasures(dataSet)).includes(measure);
  return format === 'timeseries' ? [] : aspects.filter((aspect) => (aspect === 'margin' ? isSum : !isEmpty(compare)));
}

/** The earlier periods that a data set knows: totals are those of whole days. */
export function comparisonsFor({ queryType }: Pick<InsightsQuery, 'queryType'>): Compare[] {
  return comparisons.filter((compare) => compare !== 'hour' || getDataSet(queryType).timeFields);
}

/** Whether a query is a line of totals: its points are differences of totals, whole days apart. */
export function isLineOfSums({ queryType, format }: Pick<InsightsQuery, 'queryType' | 'format'>): boolean {
  return format === 'timeseries' && !getDataSet(queryType).timeFields;
}

/** The measures and the labels of each number or line. */
export const groupNames = (query: InsightsQuery): string[] => [...measuresOf(query), ...(query.groupBy ?? [])];

/** What a search looks for: the label of an automation, in every data set that has it, or a field of its own. */
function searched(queryType: DataSetName | undefined): string {
  const { name, searchField, automationField } = getDataSet(queryType);
  return searchField === automationField ? 'automation' : name;
}

const namesOf = (list: Named[]): string[] => list.map(({ name }) => name);

/** Resets what the data set or the format of a query doesn't have, and selects a measure if one is needed. */
function fit(query: InsightsQuery): InsightsQuery {
  const { queryType, format = defaultFormat } = query;
  if (isVariable(queryType) || isVariable(format)) {
    return query;
  }
  const dataSet = getDataSet(queryType);
  if (!formatsFor(dataSet).includes(format)) {
    return fit(withParts(query, { format: undefined, groupBy: undefined }));
  }
  const has = (part: Part) => isPartOf(format, part);
  const fields = namesOf(namedFields(dataSet));
  const groupable = namesOf(groupsFor(dataSet, format));
  const offered = namesOf(measuresFor(dataSet, format));

  const isIn = (names: readonly string[]) => (name: string | undefined) =>
    isVariable(name) || names.includes(name ?? '');
  const { groupBy, timeField, state, per, sort } = query;
  const remaining = measuresOf(query).filter((name) => isIn(offered)(splitMeasure(name).measure));
  const selected = isSelected(query, 'columns') ? query.columns : undefined;
  return fitToMeasure(
    withParts(query, {
      columns: has('columns') ? tableColumns(dataSet, selected?.filter(isIn(fields))) : undefined,
      groupBy: has('groupBy') ? groupBy?.filter(isIn(groupable)) : undefined,
      ...asMeasures(!has('measure') ? [] : remaining.length > 0 ? remaining : offered.slice(0, 1)),
      timeField: has('timeField') && isIn(dataSet.timeFields ?? [])(timeField) ? timeField : undefined,
      total: has('total') ? query.total : undefined,
      state: has('state') && isIn(groupable)(state) ? state : undefined,
      attention: has('attention') ? query.attention : undefined,
      per: has('per') && isIn(units)(per) ? per : undefined,
      sort: has('sort') && (has('measure') || isIn(fields)(sort?.field)) ? sort : undefined,
    })
  );
}

/** Resets a comparison of what can't be compared, its aspects, and a sort by another measure or label. */
function fitToMeasure(query: InsightsQuery): InsightsQuery {
  const { format, compare } = query;
  const isKnown = isComparable(query) && (compare !== 'hour' || comparisonsFor(query).includes(compare));
  const isCompared = isKnown || (isVariable(compare) && showsMeasure(format)) || isVariable(format);
  const compared = withParts(query, { compare: isCompared ? compare : undefined });
  const isShown = (name: string) => {
    const { measure, aspect } = splitMeasure(name);
    return !aspect || aspectsOf(compared, measure).includes(aspect);
  };
  const fit = withParts(compared, asMeasures(measuresOf(query).filter(isShown)));
  const { sort } = query;
  const isSortable = !showsMeasure(format) || isVariable(sort?.field) || groupNames(fit).includes(sort?.field ?? '');
  return withParts(fit, { sort: isSortable ? sort : undefined });
}
