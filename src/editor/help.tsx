import { isEqual, max, min, round } from 'lodash';
import React from 'react';

import { type CoreApp, type PanelData } from '@grafana/data';
import { t } from '@grafana/i18n';
import { Text } from '@grafana/ui';

import { attentionDays } from '../../schema/attention';
import { measures } from '../../schema/datasets';
import { isLineOfSums } from '../query/fit';
import { type InsightsQuery, isRule, measuresOf } from '../query/query';
import { selectors } from '../selectors';
import { descriptionOf } from '../query/texts';
import { type ControlProps } from './control';

interface Props extends Pick<ControlProps, 'query' | 'dataSet' | 'days'> {
  app?: CoreApp | string;
  data?: PanelData;
}

/** What is below the controls of a number, a line, bars, or what needs attention. */
export function Help({ query, dataSet, days, app, data }: Props) {
  const texts = {
    formatHelp: formatHelp(query),
    measureHelp: measureHelp({ query, dataSet, days }),
    conditionHelp: isRule(app) ? conditionHelp(query, data) : undefined,
    stepHelp: isLineOfSums(query) ? stepHelp() : undefined,
  };
  return (Object.keys(texts) as Array<keyof typeof texts>)
    .filter((name) => texts[name])
    .map((name) => (
      <div key={name} data-testid={selectors.query[name]}>
        <Text element="p" variant="bodySmall" color={name === 'conditionHelp' ? undefined : 'secondary'}>
          {texts[name] ?? ''}
        </Text>
      </div>
    ));
}

// Describes the selected measure: there are three success rates with different formulas. Numbers that the service computes are
// not rescaled, so a threshold must use the service's scale.
function measureHelp({ query, dataSet, days }: Props): string | undefined {
  const measure = measures(dataSet).find(({ name }) => isEqual([name], measuresOf(query)));
  if (!measure || dataSet.measures || isLineOfSums(query)) {
    return measure && descriptionOf(measure);
  }
  const isRate = dataSet.fields.find(({ name }) => name === measure.name)?.rate;
  const values = { description: descriptionOf(measure), days, interpolation: { escapeValue: false } };
  const computed =
    days === 1
      ? t('editor.measure.day', '{{description}}. Calculated by the service over 1 day.', values)
      : t('editor.measure.days', '{{description}}. Calculated by the service over {{days}} days.', values);
  return isRate
    ? `${computed} ${t('editor.measure.scale', "Thresholds apply to the service's own number.")}`
    : computed;
}

function formatHelp({ format }: InsightsQuery): string | undefined {
  switch (format) {
    case 'timeline':
      return t(
        'editor.timeline.help',
        'Each bar is a task that ran in the time range, from its start to its end, or until now. Time in the queue is not shown. Tasks that ran at the same time are in several lanes.'
      );
    case 'attention':
      return t(
        'editor.attention.help',
        'Each row is an automation or a runner that a person should look at, compared with its own last {{days}} days. In a rule, the number is the severity: 1 to 3, or 0 if nothing needs attention.',
        { days: attentionDays }
      );
    case 'deadlines':
      return t(
        'editor.deadlines.help',
        'Each row is a deadline of today, from the settings of the data source, or an earlier one that is still late.'
      );
    default:
      return undefined;
  }
}

/** The current values, on whose scale a rule compares: with a threshold of 90 for a rate from 0 to 1, every instance fires. */
function conditionHelp(query: InsightsQuery, data: PanelData | undefined): string | undefined {
  const shown = query.format === 'attention' ? 'severity' : measuresOf(query)[0];
  const numbers = (data?.series ?? [])
    .filter(({ refId }) => refId === query.refId)
    .flatMap(({ fields }) => fields.filter(({ name }) => name === shown))
    .flatMap(({ values }) => values)
    .filter((value) => typeof value === 'number');
  // As a user would enter them as a threshold, without separators.
  const [least, most] = [min(numbers), max(numbers)].map((number = 0) => String(round(number, 3)));
  const now = least === most ? least : t('editor.condition.range', '{{least}} to {{most}}', { least, most });
  return numbers.length > 0
    ? t('editor.condition.now', 'The query currently returns {{now}}; enter the threshold on the same scale', { now })
    : undefined;
}

/** Explains which measures a line of totals has, and its points, which cannot be shorter than a day. */
function stepHelp(): string {
  const totals = t('editor.step.totals', 'Only totals can be a time series: for rates, show as Number.');
  const points = t(
    'editor.step.help',
    'Each point is the total of whole days of 24 hours, counted back from now: a week is 7 days, and a month 30.'
  );
  return `${totals} ${points}`;
}
