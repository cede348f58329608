import { type AdHocVariableFilter, type MetricFindValue } from '@grafana/data';

import { type DataSet, dataSets, fieldNames, getDataSet, namedFields } from '../datasets/datasets';
import { type Filter, type InsightsQuery, type Operator, withParts } from './query';
import { fetchSuggestions, type SuggestionSource } from './suggestions';
import { dataSetLabel } from './texts';

/**
 * Adds a dashboard's ad-hoc filters to a query. A filter on a field of another data set cannot mean this query
 * and is left out; a field that no data set describes may be one that the service added, so it stays.
 */
export function withAdHocFilters(query: InsightsQuery, adHoc: AdHocVariableFilter[] = []): InsightsQuery {
  const own = new Set(nameable(getDataSet(query.queryType)));
  const described = new Set(dataSets.flatMap(nameable));
  const added = adHoc.filter(({ key }) => own.has(key) || !described.has(key)).map(toFilter);
  return withParts(query, { filters: [...(query.filters ?? []), ...added] });
}

/** Fields that a dashboard can be filtered by: those of the data sets that its queries ask, each name once. */
export function tagKeys(queries: InsightsQuery[] | undefined): MetricFindValue[] {
  const keys = new Map<string, MetricFindValue>();
  for (const dataSet of askedDataSets(queries)) {
    for (const name of nameable(dataSet).filter((candidate) => !keys.has(candidate))) {
      keys.set(name, { text: name, value: name, group: dataSetLabel(dataSet) });
    }
  }
  return [...keys.values()];
}

/** Values that a field has in the data sets that know it. */
export async function tagValues(
  source: SuggestionSource,
  key: string,
  queries: InsightsQuery[] | undefined,
  days: number | undefined
): Promise<MetricFindValue[]> {
  const asked = askedDataSets(queries).filter((dataSet) => fieldNames(dataSet).includes(key));
  const answers = await Promise.all(asked.map((dataSet) => fetchSuggestions(source, dataSet, key, { days })));
  return [...new Map(answers.flat().map(({ value, text }) => [value, { value, text }])).values()];
}

function nameable(dataSet: DataSet): string[] {
  return namedFields(dataSet).map(({ name }) => name);
}

function askedDataSets(queries: InsightsQuery[] = []): DataSet[] {
  const names = new Set(queries.map(({ queryType }) => getDataSet(queryType).name));
  return names.size > 0 ? dataSets.filter(({ name }) => names.has(name)) : dataSets;
}

/** Takes Grafana's operator as it is: the backend names the ones it does not know, which beats dropping a filter. */
function toFilter({ key, operator, value, values }: AdHocVariableFilter): Filter {
  return operator === '=|' || operator === '!=|'
    ? { key, operator, values: values ?? [value] }
    : { key, operator: operator as Operator, value };
}
