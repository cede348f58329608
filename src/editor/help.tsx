import { round } from 'lodash';
import React from 'react';

import { type DataFrame } from '@grafana/data';
import { t } from '@grafana/i18n';
import { Text } from '@grafana/ui';

import { type DataSet, type Measure, measures } from '../../datasets/datasets';
import { isLineOfSums } from '../fit';
import { type Per } from '../query';
import { selectors } from '../selectors';
import { measureDescription } from '../texts';
import { type ControlProps } from './control';

/** Describes the selected measure: there are three success rates with different formulas. */
export function MeasureHelp({ query, dataSet, days }: ControlProps) {
  const chosen = measures(dataSet).find(({ name }) => name === query.measure);
  return (
    chosen && (
      <div data-testid={selectors.query.measureHelp}>
        <Text element="p" variant="bodySmall" color="secondary">
          {isLineOfSums(query) ? measureDescription(dataSet, chosen) : help(dataSet, chosen, days)}
        </Text>
      </div>
    )
  );
}

/** Numbers that the service computes are not rescaled, so a threshold must use the service's scale. */
function help(dataSet: DataSet, measure: Measure, days: number): string {
  const description = measureDescription(dataSet, measure);
  if (dataSet.measures) {
    return description;
  }
  const isRate = dataSet.fields.find(({ name }) => name === measure.name)?.rate;
  const values = { description, days, interpolation: { escapeValue: false } };
  if (days === 1) {
    return isRate
      ? t(
          'editor.measure.rate-day',
          "{{description}}. Calculated by the service over 1 day. Thresholds apply to the service's own number.",
          values
        )
      : t('editor.measure.sum-day', '{{description}}. Calculated by the service over 1 day.', values);
  }
  return isRate
    ? t(
        'editor.measure.rate',
        "{{description}}. Calculated by the service over {{days}} days. Thresholds apply to the service's own number.",
        values
      )
    : t('editor.measure.sum', '{{description}}. Calculated by the service over {{days}} days.', values);
}

/** Describes the bars of a timeline, and the tasks that have none. */
export function TimelineHelp() {
  return (
    <div data-testid={selectors.query.timelineHelp}>
      <Text element="p" variant="bodySmall" color="secondary">
        {t(
          'editor.timeline.help',
          'Each bar is a task that ran in the time range, from its start to its end, or until now. Time in the queue is not shown. Tasks that ran at the same time are in several lanes.'
        )}
      </Text>
    </div>
  );
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
  const measure = measures(dataSet).find(({ name }) => name === query.measure);
  const numbers = series
    .filter(({ refId }) => refId === query.refId)
    .flatMap(({ fields }) => fields.filter(({ name }) => name === query.measure))
    .flatMap(({ values }) => values)
    .filter((value) => typeof value === 'number');
  if (!measure || numbers.length === 0) {
    return null;
  }
  const values = { now: rangeOf(numbers), interpolation: { escapeValue: false } };
  return (
    <div data-testid={selectors.query.conditionHelp}>
      <Text element="p" variant="bodySmall">
        {conditionText(unitOf(dataSet, measure, numbers), values)}
      </Text>
    </div>
  );
}

type Unit = 'fraction' | 'percent' | 'seconds' | undefined;

function conditionText(unit: Unit, values: Record<string, unknown>): string {
  switch (unit) {
    case 'fraction':
      return t('editor.condition.fraction', 'The query currently returns {{now}}; for 90%, enter 0.9', values);
    case 'percent':
      return t('editor.condition.percent', 'The query currently returns {{now}}; for 90%, enter 90', values);
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
function unitOf(dataSet: DataSet, { name, unit }: Measure, numbers: number[]): Unit {
  if (unit === 'percentunit') {
    return 'fraction';
  }
  if (unit === 's') {
    return 'seconds';
  }
  const isRate = dataSet.fields.find((field) => field.name === name)?.rate;
  const largest = Math.max(...numbers);
  return isRate && largest > 0 ? (largest > 1 ? 'percent' : 'fraction') : undefined;
}

/** Formats numbers as a user would enter them as a threshold, without separators. */
function rangeOf(numbers: number[]): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)].map((number) => String(round(number, 3)));
  return least === most ? least : t('editor.condition.range', '{{least}} to {{most}}', { least, most });
}

interface Props {
  per?: Per;
  /** Interval of the panel, as Grafana formats it and in milliseconds; absent before the first response. */
  interval?: string;
  intervalMs?: number;
}

const dayMs = 86_400_000;

/** Explains the points of a line of totals, which cannot be shorter than a day. */
export function StepHelp({ per = 'auto', interval, intervalMs = dayMs }: Props) {
  const isCalendar = per === 'week' || per === 'month';
  return (
    <div data-testid={selectors.query.stepHelp}>
      <Text element="p" variant="bodySmall" color="secondary">
        {isCalendar
          ? t(
              'editor.step.calendar',
              'Each point is the total of a calendar week or month. The service counts whole days back from now, so its start and end can be off by up to 12 hours.'
            )
          : t(
              'editor.step.help',
              'Each point is the total of one step. Steps are whole days of 24 hours, counted back from now.'
            )}
      </Text>
      {per === 'auto' && intervalMs < dayMs && (
        <Text element="p" variant="bodySmall" color="secondary">
          {t(
            'editor.step.short',
            'The panel interval, {{interval}}, is shorter than a day: each point covers 1 day, or more if the time range is long.',
            { interval, interpolation: { escapeValue: false } }
          )}
        </Text>
      )}
    </div>
  );
}
