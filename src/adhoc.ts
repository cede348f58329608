import { type AdHocVariableFilter } from '@grafana/data';

import { dataSets, fieldNames, getDataSet } from '../datasets/datasets';
import { type Filter, type InsightsQuery, type Operator, withParts } from './query';

/**
 * Adds a dashboard's ad-hoc filters to a query. A filter on a field of another data set cannot mean this query
 * and is left out; a field that no data set describes may be one that the service added, so it stays.
 */
export function withAdHocFilters(query: InsightsQuery, adHoc: AdHocVariableFilter[] = []): InsightsQuery {
  const own = new Set(fieldNames(getDataSet(query.queryType)));
  const described = new Set(dataSets.flatMap(fieldNames));
  const added = adHoc.filter(({ key }) => own.has(key) || !described.has(key)).map(toFilter);
  return withParts(query, { filters: [...(query.filters ?? []), ...added] });
}

/** Takes Grafana's operator as it is: the backend names the ones it does not know, which beats dropping a filter. */
function toFilter({ key, operator, value, values }: AdHocVariableFilter): Filter {
  return operator === '=|' || operator === '!=|'
    ? { key, operator, values: values ?? [value] }
    : { key, operator: operator as Operator, value };
}
