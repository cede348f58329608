import { t } from '@grafana/i18n';

import { type DataSet, findDataSet, findNamed, getDataSet, type Named } from '../../schema/datasets';
import {
  attentionGroups,
  defaultFormat,
  defaultState,
  type Format,
  type InsightsQuery,
  measuresOf,
  splitMeasure,
} from './query';
import { shownQuery } from './shown';

/** A text of schema/ in the user's language. Its translations are next to it, and the build makes its English a key. */
export function translate(english: string, values?: object): string {
  return t(english, english, { ...values, keySeparator: false, nsSeparator: false });
}

/** The code of the user's language: the text `language` is the code of its own language. */
export const language = (): string => t('language', 'en-US');

/** The label of a name in the user's language. */
export const labelOf = ({ label }: Named): string => translate(label);

/** The description of a name in the user's language. */
export const descriptionOf = ({ description }: Named): string => translate(description);

/** {@link labelOf} by name. A name without a label, such as a variable, is kept. */
export function labelOfName(dataSet: DataSet, name: string): string {
  const named = findNamed(dataSet, name);
  return named ? labelOf(named) : name;
}

/** The label of a number, as the backend calls it. */
export function labelOfNumber(dataSet: DataSet, name: string): string {
  const { measure, aspect } = splitMeasure(name);
  const label = labelOfName(dataSet, measure);
  const labels = {
    before: t('editor.aspect.before', '{{label}} before', { label }),
    change: `${label} ± %`,
    difference: `${label} ±`,
    margin: t('editor.aspect.margin', '{{label}} (± at most)', { label }),
  };
  return aspect ? labels[aspect] : label;
}

/** A description preceded by the name in the API, which queries, overrides, and rules use. */
export const nameAndDescription = (named: Named): string => `${named.name} · ${descriptionOf(named)}`;

/** The name of a format. An unknown one, or a variable, is shown as saved. */
export function formatLabel(format: Format): string {
  const labels: Record<Format, string> = {
    table: t('editor.format.table', 'Table'),
    numeric: t('editor.format.numeric', 'Number'),
    timeseries: t('editor.format.timeseries', 'Time series'),
    timeline: t('editor.format.timeline', 'Timeline'),
    attention: t('editor.format.attention', 'Needs attention'),
    deadlines: t('editor.format.deadlines', 'Due today'),
  };
  return labels[format] ?? format;
}

/** Says which variables of a query don't exist; undefined if all do. */
export function unknownText(names: string[]): string | undefined {
  const values = { names: names.join(', '), interpolation: { escapeValue: false } };
  return names.length > 0
    ? t('variables.unknown', 'No such variable: {{names}}. Correct the name, or create the variable.', values)
    : undefined;
}

/** A one-line summary of a query, where Grafana lists queries. */
export function describeQuery(saved: InsightsQuery): string {
  const query = shownQuery(saved);
  const { queryType, format = defaultFormat, groupBy, search, state } = query;
  const dataSet = getDataSet(queryType);
  const label = (name: string) => labelOfName(dataSet, name);
  const named: Partial<Record<Format, string>> = {
    timeline: state ?? defaultState,
    attention: groupBy?.[0] ?? attentionGroups[0],
  };
  const shown = [named[format] ?? measuresOf(query)].flat();
  const values = {
    measure: shown.map((name) => labelOfNumber(dataSet, name)).join(', '),
    groupBy: groupBy?.map(label).join(', '),
    search,
    interpolation: { escapeValue: false },
  };
  const measured =
    groupBy?.length && shown.length > 0 && format !== 'attention'
      ? t('describe.grouped', '{{measure}} by {{groupBy}}', values)
      : values.measure;
  return [
    queryType && !findDataSet(queryType) ? queryType : labelOf(dataSet),
    formatLabel(format),
    measured,
    search && t('describe.search', 'search {{search}}', values),
  ]
    .filter(Boolean)
    .join(' · ');
}
