import { max, min, round } from 'lodash';
import React from 'react';

import { type DataFrame } from '@grafana/data';
import { t } from '@grafana/i18n';
import { Text } from '@grafana/ui';

import { attentionDays } from '../../schema/attention';
import { type DataSet, findNamed, type Measure, measures } from '../../schema/datasets';
import { isLineOfSums } from '../fit';
import { type InsightsQuery } from '../query';
import { selectors } from '../selectors';
import { descriptionOf } from '../texts';
import { type ControlProps } from './control';

interface HelpProps {
  testId: string;
  text: string;
  color?: 'secondary';
}

/** Help below the controls. */
function Help({ testId, text, color }: HelpProps) {
  return (
    <div data-testid={testId}>
      <Text element="p" variant="bodySmall" color={color}>
        {text}
      </Text>
    </div>
  );
}

/** Describes the selected measure: there are three success rates with different formulas. */
export function MeasureHelp({ query, dataSet, days }: ControlProps) {
  const chosen = measures(dataSet).find(({ name }) => name === query.measure);
  if (!chosen) {
    return null;
  }
  const text = isLineOfSums(query) ? descriptionOf(chosen) : help(dataSet, chosen, days);
  return <Help testId={selectors.query.measureHelp} text={text} color="secondary" />;
}

/** Numbers that the service computes are not rescaled, so a threshold must use the service's scale. */
function help(dataSet: DataSet, measure: Measure, days: number): string {
  const description = descriptionOf(measure);
  if (dataSet.measures) {
    return description;
  }
  const isRate = dataSet.fields.find(({ name }) => name === measure.name)?.rate;
  const values = { description, days, interpolation: { escapeValue: false } };
  return [
    days === 1
      ? t('editor.measure.day', '{{description}}. Calculated by the service over 1 day.', values)
      : t('editor.measure.days', '{{description}}. Calculated by the service over {{days}} days.', values),
    isRate && t('editor.measure.scale', "Thresholds apply to the service's own number."),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Describes what a format with its own order shows. */
export function FormatHelp({ format }: Pick<InsightsQuery, 'format'>) {
  const text =
    format === 'timeline'
      ? t(
          'editor.timeline.help',
          'Each bar is a task that ran in the time range, from its start to its end, or until now. Time in the queue is not shown. Tasks that ran at the same time are in several lanes.'
        )
      : t(
          'editor.attention.help',
          'Each row is an automation or a runner that a person should look at, compared with its own last {{days}} days. In a rule, the number is the severity: 1 to 3, or 0 if nothing needs attention.',
          { days: attentionDays }
        );
  return <Help testId={selectors.query.formatHelp} text={text} color="secondary" />;
}

interface ConditionHelpProps extends Pick<ControlProps, 'query' | 'dataSet'> {
  /** Response to the query, if there is one. */
  series: DataFrame[] | undefined;
}

/**
 * Shows the current values next to the condition of a rule. With a threshold of 90 for a rate from 0 to 1, every instance
 * fires.
 */
export function ConditionHelp({ query, dataSet, series = [] }: ConditionHelpProps) {
  const shown = query.format === 'attention' ? 'severity' : query.measure;
  const numbers = series
    .filter(({ refId }) => refId === query.refId)
    .flatMap(({ fields }) => fields.filter(({ name }) => name === shown))
    .flatMap(({ values }) => values)
    .filter((value) => typeof value === 'number');
  if (numbers.length === 0) {
    return null;
  }
  const values = { now: rangeOf(numbers), interpolation: { escapeValue: false } };
  const text = conditionText(unitOf(dataSet, findNamed(dataSet, shown ?? ''), numbers), values);
  return <Help testId={selectors.query.conditionHelp} text={text} />;
}

type Unit = 'fraction' | 'percent' | 'seconds' | undefined;

function conditionText(unit: Unit, values: Record<string, unknown>): string {
  switch (unit) {
    case 'fraction':
      return t(
        'editor.condition.fraction',
        'The query currently returns {{now}}; for less than 90%, choose "is below" and enter 0.9',
        values
      );
    case 'percent':
      return t(
        'editor.condition.percent',
        'The query currently returns {{now}}; for less than 90%, choose "is below" and enter 90',
        values
      );
    case 'seconds':
      return t(
        'editor.condition.seconds',
        'The query currently returns {{now}} seconds; for 30 minutes, enter 1800',
        values
      );
    default:
      return t('editor.condition.now', 'The query currently returns {{now}}', values);
  }
}

/** The scale of the service's rates is unknown until one of them is above 1. */
function unitOf(dataSet: DataSet, measure: Partial<Measure> = {}, numbers: number[]): Unit {
  const { name, unit } = measure;
  if (unit === 'percentunit') {
    return 'fraction';
  }
  if (unit === 's') {
    return 'seconds';
  }
  const isRate = dataSet.fields.find((field) => field.name === name)?.rate;
  const largest = max(numbers) ?? 0;
  return isRate && largest > 0 ? (largest > 1 ? 'percent' : 'fraction') : undefined;
}

/** Formats numbers as a user would enter them as a threshold, without separators. */
function rangeOf(numbers: number[]): string {
  const [least, most] = [min(numbers), max(numbers)].map((number = 0) => String(round(number, 3)));
  return least === most ? least : t('editor.condition.range', '{{least}} to {{most}}', { least, most });
}

/** Explains which measures a line of totals has, and its points, which cannot be shorter than a day. */
export function StepHelp({ per }: Pick<InsightsQuery, 'per'>) {
  const totals = t('editor.step.totals', 'Only totals can be a time series: for rates, show as Number.');
  const points =
    per === 'week' || per === 'month'
      ? t(
          'editor.step.calendar',
          'Each point is the total of a calendar week or month. The service counts whole days back from now, so its start and end can be off by up to 12 hours.'
        )
      : t(
          'editor.step.help',
          'Each point is the total of one step. Steps are whole days of 24 hours, counted back from now.'
        );
  return <Help testId={selectors.query.stepHelp} text={[totals, points].join(' ')} color="secondary" />;
}
