import { type AdHocVariableFilter, type DataFrame, type MetricFindValue } from '@grafana/data';
import { t } from '@grafana/i18n';

import { type DataSet, dataSets, getDataSet, groupableFields, namedFields } from '../schema/datasets';
import { type Filter, type InsightsQuery, type Operator, withParts } from './query';
import { fetchSuggestions, type SuggestionSource } from './suggestions';
import { labelOf } from './texts';

/**
 * Adds a dashboard's ad hoc filters to a query. A filter on a field of another data set can't apply to this query and
 * is left out. A field that no data set describes stays, because the service may have added it.
 */
export function withAdHocFilters(query: InsightsQuery, adHoc: AdHocVariableFilter[] = []): InsightsQuery {
  const foreign = foreignKeys(query, adHoc);
  const added = adHoc.filter(({ key }) => !foreign.includes(key)).map(toFilter);
  return withParts(query, { filters: [...(query.filters ?? []), ...added] });
}

/** Adds a notice to a query's frame if ad hoc filters were left out. */
export function withIgnoredFilterNotice(
  frame: DataFrame,
  query: InsightsQuery,
  adHoc: AdHocVariableFilter[] = []
): DataFrame {
  const fields = foreignKeys(query, adHoc);
  if (fields.length === 0) {
    return frame;
  }
  const text = t('adhoc.left-out', 'Not filtered by {{fields}}: does not apply to {{dataSet}}', {
    fields: fields.join(', '),
    dataSet: labelOf(getDataSet(query.queryType)),
    interpolation: { escapeValue: false },
  });
  // Grafana shows it in the corner of the panel.
  const notices = [...(frame.meta?.notices ?? []), { severity: 'info' as const, text }];
  return { ...frame, meta: { ...frame.meta, notices } };
}

/** Keys of ad hoc filters that don't apply to the query. */
function foreignKeys(query: InsightsQuery, adHoc: AdHocVariableFilter[]): string[] {
  return [...new Set(adHoc.map(({ key }) => key))].filter((key) => !filtersBy(query, key));
}

/**
 * Whether a query can be filtered by a field. A field that no data set describes may have been added by the service.
 */
export function filtersBy({ queryType }: InsightsQuery, key: string): boolean {
  const has = (dataSet: DataSet) => nameable(dataSet).includes(key);
  return !dataSets.some(has) || has(getDataSet(queryType));
}

/**
 * The fields for filters of a dashboard: all fields of the data sets that its queries use, each name once. They have no
 * group: Grafana lists the heading of a group like a key, and Enter selects it.
 */
export function tagKeys(queries: InsightsQuery[] | undefined): MetricFindValue[] {
  const names = new Set(queriedDataSets(queries).flatMap(nameable));
  return [...names].map((name) => ({ text: name, value: name }));
}

/** The values of a field in the data sets that have it. */
export async function tagValues(
  source: SuggestionSource,
  key: string,
  queries: InsightsQuery[] | undefined,
  days: number | undefined
): Promise<MetricFindValue[]> {
  // A derived field has values to choose from only if it can be a label.
  const listed = (dataSet: DataSet) => [...dataSet.fields, ...groupableFields(dataSet)];
  const matching = queriedDataSets(queries).filter((dataSet) => listed(dataSet).some(({ name }) => name === key));
  const answers = await Promise.all(matching.map((dataSet) => fetchSuggestions(source, dataSet, key, { days })));
  return [...new Map(answers.flat().map(({ value, text }) => [value, { value, text }])).values()];
}

function nameable(dataSet: DataSet): string[] {
  return namedFields(dataSet).map(({ name }) => name);
}

/** The data sets that queries use; all of them without queries. */
export function queriedDataSets(queries: InsightsQuery[] = []): DataSet[] {
  const names = new Set(queries.map(({ queryType }) => getDataSet(queryType).name));
  return names.size > 0 ? dataSets.filter(({ name }) => names.has(name)) : dataSets;
}

/**
 * Keeps Grafana's operator unchanged: the backend reports an unknown operator, which is better than dropping a filter.
 */
function toFilter({ key, operator, value, values }: AdHocVariableFilter): Filter {
  return operator === '=|' || operator === '!=|'
    ? { key, operator, values: values ?? [value] }
    : { key, operator: operator as Operator, value };
}
