import { t } from '@grafana/i18n';

import { type DataSet, isOfWorkspace, measures, namedFields } from '../../schema/datasets';
import { measuresFor } from '../fit';
import { attentionGroups, type InsightsQuery, isVariable, measuresOf, showsMeasure, splitMeasure } from '../query';
import { labelOf, labelOfName } from '../texts';

/** Why the backend refuses the measures of a query, and the way out. */
export function measureProblem(query: InsightsQuery, dataSet: DataSet): string | undefined {
  const names = measuresOf(query);
  return [names[0] ?? '', ...names.slice(1)]
    .map((name) => problemOf(query, dataSet, splitMeasure(name).measure))
    .find(Boolean);
}

/** Why the backend refuses a measure. A variable can be any. */
function problemOf(query: InsightsQuery, dataSet: DataSet, measure: string): string | undefined {
  const { format, groupBy = [] } = query;
  const isOffered = measuresFor(dataSet, format).some(({ name }) => name === measure);
  if (!showsMeasure(format) || isOffered || isVariable(measure) || isOfOtherSet(query, dataSet)) {
    return undefined;
  }
  if (!measure) {
    return t('editor.measure.missing', 'Select a measure');
  }
  const values = { measure: labelOfName(dataSet, measure), interpolation: { escapeValue: false } };
  if (measures(dataSet).some(({ name }) => name === measure)) {
    return t(
      'editor.measure.no-line',
      'The service reports {{measure}} only up to now, not over time. Show it as Number, or select another measure',
      values
    );
  }
  const isField = namedFields(dataSet).some(({ name }) => name === measure);
  // A number that the service added: how to combine its values is unknown.
  const isOwnGroup = format === 'numeric' && !dataSet.measures && !isField && groupBy.includes(dataSet.key);
  return isOwnGroup
    ? undefined
    : t('editor.measure.unknown', 'There is no measure {{measure}}. Select another', values);
}

/** Why the backend refuses these fields as labels, and the way out. */
export function labelProblem(query: InsightsQuery, dataSet: DataSet, names: string[] = []): string | undefined {
  const { format } = query;
  if (isOfOtherSet(query, dataSet)) {
    return undefined;
  }
  if (format === 'attention') {
    const about = names.filter((name) => !isOfWorkspace(dataSet, name));
    const isAllowed = about.length <= 1 && about.every((name) => attentionGroups.includes(name) || isVariable(name));
    return isAllowed ? undefined : t('editor.group-by.attention', 'Select either the automation or the runner');
  }
  const fields = namedFields(dataSet).filter(({ name, groupable }) => !groupable && names.includes(name));
  return fields.length > 0 && (showsMeasure(format) || format === 'timeline')
    ? t('editor.group-by.unfit', 'Nearly every row has another value of {{fields}}. Select a field from the list', {
        fields: fields.map(labelOf).join(', '),
        interpolation: { escapeValue: false },
      })
    : undefined;
}

/** Whether a query has a data set that is unknown, or a variable, of which nothing can be said. */
function isOfOtherSet({ queryType = 'tasks' }: InsightsQuery, { name }: DataSet): boolean {
  return queryType !== name;
}
