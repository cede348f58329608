import { t } from '@grafana/i18n';

import { type Part } from '../query/parts';
import { type Compare, defaultFormat, type Format, type Order, type Per } from '../query/query';

/** Labels of the controls, by which other texts name the parts of a query. */
export function partLabels(format: Format = defaultFormat): Record<Part, string> {
  const rows = t('editor.limit.rows', 'Rows');
  const limits: Partial<Record<Format, string>> = {
    numeric: t('editor.limit.groups', 'Groups'),
    timeseries: t('editor.limit.series', 'Series'),
    timeline: t('editor.limit.lanes', 'Max lanes'),
  };
  return {
    queryType: t('editor.data-set.label', 'Data set'),
    format: t('editor.format.label', 'Show as'),
    columns: t('editor.columns.label', 'Columns'),
    measure: t('editor.measure.label', 'Measure'),
    measures: t('editor.measures.label', 'More measures'),
    groupBy: format === 'timeline' ? t('editor.lanes.label', 'Lanes') : t('editor.group-by.label', 'Group by'),
    state: t('editor.bars.label', 'Bars'),
    per: t('editor.per.label', 'One point per'),
    filters: t('editor.filter.label', 'Filters'),
    days: t('editor.days.label', 'Last days'),
    search: t('editor.search.label', 'Search'),
    sort: t('editor.sort.label', 'Sort by'),
    limit: limits[format] ?? rows,
    total: t('editor.total.label', 'Total row'),
    attention: t('editor.attention.label', 'Sensitivity and reasons'),
    timeField: t('editor.time-field.label', 'Time field'),
    compare: t('editor.compare.label', 'Compare with'),
    timezone: t('editor.timezone.label', 'Time zone'),
  };
}

export const compareLabels = (): Record<Compare, string> => ({
  previous: t('editor.compare.previous', 'Previous period'),
  hour: t('editor.compare.hour', 'Previous hour'),
  day: t('editor.compare.day', 'Previous day'),
  week: t('editor.compare.week', 'Previous week'),
  month: t('editor.compare.month', 'Previous month'),
  year: t('editor.compare.year', 'Previous year'),
});

export const perLabels = (): Record<Per, string> => ({
  auto: t('editor.per.auto', 'Auto (interval)'),
  hour: t('editor.per.hour', 'Hour'),
  day: t('editor.per.day', 'Day'),
  week: t('editor.per.week', 'Week'),
  month: t('editor.per.month', 'Month'),
});

export const orderLabels = (): Record<Order, string> => ({
  asc: t('editor.order.asc', 'Ascending'),
  desc: t('editor.order.desc', 'Descending'),
});
