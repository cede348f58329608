import {
  type DataSourceGetDrilldownsApplicabilityOptions,
  type DrilldownsApplicability,
  type MetricFindValue,
} from '@grafana/data';
import { t } from '@grafana/i18n';

import { getDataSet, groupableFields } from '../../schema/datasets';
import { filtersBy, keysOf, queriedDataSets } from './adhoc';
import { defaultLane, type Format, type InsightsQuery, showsMeasure } from '../query/query';
import { labelOf } from '../query/texts';

/**
 * Adds a dashboard's grouping to the labels of a number or a line. A table has no labels, and a field that can't be a
 * label is left out; {@link drilldownsApplicability} reports this to Grafana. What the query shows can depend on
 * variables, which have their values in `resolved`.
 */
export function withGroupByKeys(query: InsightsQuery, keys: string[] = [], resolved = query): InsightsQuery {
  const added = keys.filter((key) => groupsBy(resolved, key) && !resolved.groupBy?.includes(key));
  const lanes = resolved.format === 'timeline' ? [defaultLane] : [];
  return added.length > 0 ? { ...query, groupBy: [...new Set([...(query.groupBy ?? lanes), ...added])] } : query;
}

/** Fields for grouping a dashboard: the possible labels in the data sets that its queries use. */
export function groupByKeys(queries?: InsightsQuery[]): MetricFindValue[] {
  return keysOf(queriedDataSets(queries).flatMap(groupableFields));
}

/** Which filters and groupings of a dashboard apply to these queries, and why the others don't. */
export function drilldownsApplicability({
  queries = [],
  filters = [],
  groupByKeys: keys = [],
}: Pick<
  DataSourceGetDrilldownsApplicabilityOptions<InsightsQuery>,
  'queries' | 'filters' | 'groupByKeys'
>): DrilldownsApplicability[] {
  const applicability = (key: string, applies: (query: InsightsQuery) => boolean, reason: string) =>
    queries.length === 0 || queries.some(applies) ? { key, applicable: true } : { key, applicable: false, reason };

  return [
    ...filters.map(({ key, origin }) => {
      const reason = t('drilldowns.unknown-field', '{{dataSets}} have no field {{key}}', values(queries, key));
      return { ...applicability(key, (query) => filtersBy(query, key), reason), origin };
    }),
    ...keys.map((key) => applicability(key, (query) => groupsBy(query, key), reasonNotToGroup(queries, key))),
  ];
}

/** Whether a format has groups of any field: tables have none, and what needs attention is an automation or a runner. */
function isGrouped(format: Format | undefined): boolean {
  return showsMeasure(format) || format === 'timeline';
}

function groupsBy({ queryType, format }: InsightsQuery, key: string): boolean {
  return isGrouped(format) && groupableFields(getDataSet(queryType)).some(({ name }) => name === key);
}

function reasonNotToGroup(queries: InsightsQuery[], key: string): string {
  return queries.every(({ format }) => !isGrouped(format))
    ? t('drilldowns.table', 'Tables cannot be grouped')
    : t('drilldowns.no-label', '{{dataSets}} cannot be grouped by {{key}}', values(queries, key));
}

function values(queries: InsightsQuery[], key: string) {
  const names = new Set(queries.map(({ queryType }) => labelOf(getDataSet(queryType))));
  return { key, dataSets: [...names].join(', '), interpolation: { escapeValue: false } };
}
