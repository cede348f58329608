import { t } from '@grafana/i18n';

import { getDataSet } from '../datasets/datasets';
import { defaultFormat, type Format, type InsightsQuery } from './query';
import { dataSetLabel } from './texts';

/** Names of the formats. */
export function formatLabels(): Record<Format, string> {
  return {
    table: t('editor.format.table', 'Table'),
    numeric: t('editor.format.numeric', 'Number'),
    timeseries: t('editor.format.timeseries', 'Line'),
  };
}

/** One line that says what a query asks for, where Grafana lists queries. */
export function describeQuery({ queryType, format = defaultFormat, measure, groupBy, search }: InsightsQuery): string {
  const values = { measure, groupBy: groupBy?.join(', '), search, interpolation: { escapeValue: false } };
  const measured = measure && groupBy?.length ? t('describe.grouped', '{{measure}} by {{groupBy}}', values) : measure;
  return [
    dataSetLabel(getDataSet(queryType)),
    formatLabels()[format],
    measured,
    search && t('describe.search', 'search {{search}}', values),
  ]
    .filter(Boolean)
    .join(' · ');
}
