import { t } from '@grafana/i18n';

import { type Reason } from '../schema/attention';
import {
  type DataSet,
  type Field,
  findDataSet,
  findNamed,
  getDataSet,
  type Measure,
  type Named,
} from '../schema/datasets';
import { normalize } from './normalize';
import { attentionGroups, defaultFormat, defaultState, type Format, type InsightsQuery } from './query';

/** Translated name of a data set. The key is derived from its name: the locale test gets these from datasets.json. */
export function dataSetLabel({ name, label }: DataSet): string {
  return t(`datasets.${name}.label`, label);
}

/** Translated description of a data set. */
export function dataSetDescription({ name, description }: DataSet): string {
  return t(`datasets.${name}.description`, description);
}

/** The code of the user's language: the text `language` is the code of its own language. */
export function language(): string {
  return t('language', 'en-US');
}

/** The label of a field or measure in the user's language. */
export function labelOf({ label, labels }: Named): string {
  return labels[language()] ?? label;
}

/** {@link labelOf} by name. A name without a label, such as a variable, is kept. */
export function labelOfName(dataSet: DataSet, name: string): string {
  const named = findNamed(dataSet, name);
  return named ? labelOf(named) : name;
}

/** A description preceded by the name in the API, which queries, overrides, and rules use. */
export function withName({ name }: Named, description: string): string {
  return `${name} · ${description}`;
}

/** Translated description of a field. */
export function fieldDescription(dataSet: DataSet, { name, description }: Field): string {
  return t(`datasets.${dataSet.name}.fields.${name}`, description);
}

/** Translated description of a reason why something needs attention. */
export function reasonDescription({ name, description }: Reason): string {
  return t(`attention.${name}`, description);
}

/** Translated description of a measure. */
export function measureDescription(dataSet: DataSet, { name, description }: Measure): string {
  return dataSet.measures
    ? t(`datasets.${dataSet.name}.measures.${name}.description`, description)
    : t(`datasets.${dataSet.name}.fields.${name}`, description);
}

/** The name of a format. An unknown one, or a variable, is shown as saved. */
export function formatLabel(format: Format): string {
  const labels: Record<Format, string> = {
    table: t('editor.format.table', 'Table'),
    numeric: t('editor.format.numeric', 'Number'),
    timeseries: t('editor.format.timeseries', 'Time series'),
    timeline: t('editor.format.timeline', 'Timeline'),
    attention: t('editor.format.attention', 'Needs attention'),
  };
  return labels[format] ?? format;
}

/** Names the properties of a query that can't be read, with their values. */
export function invalidText(invalid: object): string {
  return t('query.invalid', 'Invalid query: {{properties}}', {
    properties: Object.entries(invalid)
      .map(([name, value]) => `${name} is ${JSON.stringify(value)}`)
      .join(', '),
    interpolation: { escapeValue: false },
  });
}

/** A one-line summary of a query, where Grafana lists queries. */
export function describeQuery(saved: InsightsQuery): string {
  const { queryType, format = defaultFormat, measure, groupBy, search, state } = normalize(saved).query;
  const dataSet = getDataSet(queryType);
  const label = (name: string) => labelOfName(dataSet, name);
  const named: Partial<Record<Format, string>> = {
    timeline: state ?? defaultState,
    attention: groupBy?.[0] ?? attentionGroups[0],
  };
  const shown = named[format] ?? measure;
  const values = {
    measure: shown && label(shown),
    groupBy: groupBy?.map(label).join(', '),
    search,
    interpolation: { escapeValue: false },
  };
  const measured =
    groupBy?.length && shown && format !== 'attention'
      ? t('describe.grouped', '{{measure}} by {{groupBy}}', values)
      : values.measure;
  return [
    queryType && !findDataSet(queryType) ? queryType : dataSetLabel(dataSet),
    formatLabel(format),
    measured,
    search && t('describe.search', 'search {{search}}', values),
  ]
    .filter(Boolean)
    .join(' · ');
}
