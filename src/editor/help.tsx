import React from 'react';

import { t } from '@grafana/i18n';
import { Text } from '@grafana/ui';

import { type DataSet, type Measure, measures } from '../../datasets/datasets';
import { isLineOfSums } from '../fit';
import { type Per } from '../query';
import { selectors } from '../selectors';
import { measureDescription } from '../texts';
import { type ControlProps } from './control';

/** What the chosen measure means, beside it: three success rates look alike and are not. */
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

/** A number that the service itself computes is never rescaled, so a threshold must be in the service's scale. */
function help(dataSet: DataSet, measure: Measure, days: number): string {
  const description = measureDescription(dataSet, measure);
  if (dataSet.measures) {
    return description;
  }
  return dataSet.fields.find(({ name }) => name === measure.name)?.rate
    ? t(
        'editor.measure.rate',
        '{{description}}. Reported by the service over {{days}} days: a threshold means the service’s own number.',
        { description, days, interpolation: { escapeValue: false } }
      )
    : t('editor.measure.sum', '{{description}}. Reported by the service over {{days}} days.', {
        description,
        days,
        interpolation: { escapeValue: false },
      });
}

interface Props {
  per?: Per;
  /** Interval of the panel, as Grafana writes it and in milliseconds; absent before the first answer. */
  interval?: string;
  intervalMs?: number;
}

const dayMs = 86_400_000;

/** What a point of a line of sums is, and that it cannot be shorter than a day. */
export function StepHelp({ per = 'auto', interval, intervalMs = dayMs }: Props) {
  const isCalendar = per === 'week' || per === 'month';
  return (
    <div data-testid={selectors.query.stepHelp}>
      <Text element="p" variant="bodySmall" color="secondary">
        {isCalendar
          ? t(
              'editor.step.calendar',
              'Each point is a week or month of the calendar. The service counts whole days back from now, so its ends may be 12 hours off.'
            )
          : t(
              'editor.step.help',
              'Each point is what was added up in one step of whole days of 24 hours, counted back from now.'
            )}
      </Text>
      {per === 'auto' && intervalMs < dayMs && (
        <Text element="p" variant="bodySmall" color="secondary">
          {t(
            'editor.step.short',
            'The interval of the panel, {{interval}}, is shorter than a day: each point covers 1 day, or more in a long range.',
            { interval, interpolation: { escapeValue: false } }
          )}
        </Text>
      )}
    </div>
  );
}
