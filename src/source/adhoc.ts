import { uniqBy, uniqueId } from 'lodash';
import { firstValueFrom } from 'rxjs';

import {
  type AdHocVariableFilter,
  CoreApp,
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceGetTagValuesOptions,
  getDefaultTimeRange,
  type MetricFindValue,
  type QueryResultMetaNotice,
  rangeUtil,
  type TimeRange,
} from '@grafana/data';
import { t } from '@grafana/i18n';

import { type DataSet, dataSets, getDataSet, groupableFields, namedFields } from '../../schema/datasets';
import { type Filter, type InsightsQuery, type Operator } from '../query/query';
import { listOf } from '../query/shown';
import { daysBack, defaultDays, fetchSuggestions, type SuggestionSource } from './suggestions';
import { labelOf } from '../query/texts';
import { filteredValues, type QuerySource } from './values';

/**
 * Adds a dashboard's ad hoc filters to a query. A filter on a field of another data set can't apply to this query and
 * is left out. A field that no data set describes stays, because the service may have added it.
 */
export function withAdHocFilters(query: InsightsQuery, adHoc: AdHocVariableFilter[] = []): InsightsQuery {
  const foreign = foreignKeys(query, adHoc);
  const added = adHoc.filter(({ key }) => !foreign.includes(key)).map(toFilter);
  return added.length > 0 ? { ...query, filters: [...(listOf(query.filters) as Filter[]), ...added] } : query;
}

/** Says which ad hoc filters were left out of a query; undefined if none were. */
export function ignoredFilterNotice(
  query: InsightsQuery,
  adHoc: AdHocVariableFilter[] = []
): QueryResultMetaNotice | undefined {
  const fields = foreignKeys(query, adHoc);
  if (fields.length === 0) {
    return undefined;
  }
  const text = t('adhoc.left-out', 'Not filtered by {{fields}}: does not apply to {{dataSet}}', {
    fields: fields.join(', '),
    dataSet: labelOf(getDataSet(query.queryType)),
    interpolation: { escapeValue: false },
  });
  return { severity: 'info', text };
}

function foreignKeys(query: InsightsQuery, adHoc: AdHocVariableFilter[]): string[] {
  return [...new Set(adHoc.map(({ key }) => key))].filter((key) => !filtersBy(query, key));
}

/**
 * Whether a query can be filtered by a field. A field that no data set describes may have been added by the service.
 */
export function filtersBy({ queryType }: Pick<InsightsQuery, 'queryType'>, key: string): boolean {
  const has = (dataSet: DataSet) => namedFields(dataSet).some(({ name }) => name === key);
  return !dataSets.some(has) || has(getDataSet(queryType));
}

/**
 * The fields for filters of a dashboard: all of the data sets that its queries use, each name once. They have no group:
 * Grafana lists the heading of a group like a key, and Enter selects it.
 */
export function tagKeys(queries: InsightsQuery[] | undefined): MetricFindValue[] {
  const fields = uniqBy(queriedDataSets(queries).flatMap(namedFields), 'name');
  return fields.map((field) => ({ text: `${labelOf(field)} · ${field.name}`, value: field.name }));
}

/** The values of a field in the data sets that have it, in rows that match the other filters. */
export async function tagValues(
  source: SuggestionSource & QuerySource,
  { key, queries, filters = [], timeRange }: DataSourceGetTagValuesOptions<InsightsQuery>
): Promise<MetricFindValue[]> {
  // A derived field has values to choose from only if it can be a label.
  const listed = (dataSet: DataSet) => [...dataSet.fields, ...groupableFields(dataSet)];
  const matching = queriedDataSets(queries).filter((dataSet) => listed(dataSet).some(({ name }) => name === key));
  const days = daysBack(timeRange);
  const valuesIn = (dataSet: DataSet) => {
    const applying = filters.filter((filter) => filtersBy({ queryType: dataSet.name }, filter.key));
    const isGroup = groupableFields(dataSet).some(({ name }) => name === key);
    // The rows of other fields can't be filtered: every value of an ID would be a group.
    if (applying.length === 0 || !isGroup) {
      return fetchSuggestions(source, dataSet, key, { days }).then((data) => ({ data }));
    }
    const target = { refId: key, days: days ?? defaultDays };
    return firstValueFrom(filteredValues(source, requestOf(applying, timeRange), target, dataSet, key));
  };
  const answers = await Promise.all<Pick<DataQueryResponse, 'data' | 'error'>>(matching.map(valuesIn));
  const error = answers.find((answer) => answer.error)?.error;
  if (error) {
    throw new Error(error.message);
  }
  const found: MetricFindValue[] = answers.flatMap(({ data }) => data);
  return [...new Map(found.map(({ value, text }) => [value, { value, text }])).values()];
}

/** The request for the values of a filter, for which Grafana has none. */
function requestOf(
  filters: AdHocVariableFilter[],
  range: TimeRange = getDefaultTimeRange()
): Omit<DataQueryRequest<InsightsQuery>, 'targets'> {
  const { interval, intervalMs } = rangeUtil.calculateInterval(range, 100);
  return {
    ...{ requestId: uniqueId('insights-values-'), app: CoreApp.Dashboard, startTime: Date.now() },
    ...{ range, interval, intervalMs, filters, scopedVars: {}, timezone: 'browser' },
  };
}

/** The data sets that queries use; all of them without queries. */
function queriedDataSets(queries: InsightsQuery[] = []): DataSet[] {
  const names = new Set(queries.map(({ queryType }) => getDataSet(queryType).name));
  return names.size > 0 ? dataSets.filter(({ name }) => names.has(name)) : dataSets;
}

// Keeps Grafana's operator unchanged: the backend reports an unknown operator, which is better than dropping a filter.
function toFilter({ key, operator, value, values }: AdHocVariableFilter): Filter {
  return operator === '=|' || operator === '!=|'
    ? { key, operator, values: values ?? [value] }
    : { key, operator: operator as Operator, value };
}
