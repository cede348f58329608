import { t } from '@grafana/i18n';

import { type DataSet, type Field, getDataSet, type Measure } from '../datasets/datasets';
import { defaultFormat, type Format, type InsightsQuery } from './query';

/** Translated name of a data set. The key is derived from its name: the locale test gets these from datasets.json. */
export function dataSetLabel({ name, label }: DataSet): string {
  return t(`datasets.${name}.label`, label);
}

/** Translated description of a data set. */
export function dataSetDescription({ name, description }: DataSet): string {
  return t(`datasets.${name}.description`, description);
}

/** Translated description of a field. The name is the service's own and is not translated. */
export function fieldDescription(dataSet: DataSet, { name, description }: Field): string {
  return t(`datasets.${dataSet.name}.fields.${name}`, description);
}

/** Translated name of a measure; for a measure that is a field of the service, the field's own name. */
export function measureLabel(dataSet: DataSet, { name, label }: Measure): string {
  return dataSet.measures ? t(`datasets.${dataSet.name}.measures.${name}.label`, label) : name;
}

/** Translated description of a measure. */
export function measureDescription(dataSet: DataSet, { name, description }: Measure): string {
  return dataSet.measures
    ? t(`datasets.${dataSet.name}.measures.${name}.description`, description)
    : t(`datasets.${dataSet.name}.fields.${name}`, description);
}

/** Names of the formats. */
export function formatLabels(): Record<Format, string> {
  return {
    table: t('editor.format.table', 'Table'),
    numeric: t('editor.format.numeric', 'Number'),
    timeseries: t('editor.format.timeseries', 'Line'),
  };
}

/** A one-line summary of a query, where Grafana lists queries. */
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
