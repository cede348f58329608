import React from 'react';

import { t } from '@grafana/i18n';

import { NumberInput, TextInput } from '../controls/texts';
import { type Part } from '../fit';
import { defaultFormat, type Format, showsMeasure } from '../query';
import { selectors } from '../selectors';
import { type ControlProps } from './control';

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
    groupBy: format === 'timeline' ? t('editor.lanes.label', 'Lanes') : t('editor.group-by.label', 'Group by'),
    state: t('editor.bars.label', 'Bars'),
    per: t('editor.per.label', 'One point per'),
    filters: t('editor.filter.label', 'Filters'),
    days: t('editor.days.label', 'Last days'),
    search: t('editor.search.label', 'Search'),
    sort: t('editor.sort.label', 'Sort by'),
    limit: limits[format] ?? rows,
    attention: t('editor.attention.label', 'Sensitivity and reasons'),
    timeField: t('editor.time-field.label', 'Time field'),
    compare: t('editor.compare.label', 'Compare with'),
    timezone: t('editor.timezone.label', 'Time zone'),
  };
}

interface DaysInputProps {
  days: number | undefined;
  placeholder?: string;
  testId?: string;
  onChange: (days: number | undefined) => void;
}

/** Number of days to look back; empty follows the time range. */
export function DaysInput({ days, placeholder, testId = selectors.query.days, onChange }: DaysInputProps) {
  return (
    <NumberInput
      label={partLabels().days}
      value={days}
      placeholder={placeholder ?? t('editor.days.placeholder', 'Use time range')}
      bounds={{ min: 1 }}
      testId={testId}
      onChange={onChange}
    />
  );
}

/** The time zone of calendar days. It is saved by hand, so its control is a way to see and remove it. */
export function TimezoneInput({ query, onChange }: ControlProps) {
  return (
    <TextInput
      label={partLabels().timezone}
      value={query.timezone}
      testId={selectors.query.timezone}
      onChange={(timezone) => onChange({ timezone })}
    />
  );
}

/** The most rows of a table, numbers, lines, or lanes. Without a sort, the largest numbers and lines are kept. */
export function LimitInput({ query, onChange }: ControlProps) {
  const largest = showsMeasure(query.format) && !query.sort;
  return (
    <NumberInput
      label={partLabels(query.format).limit}
      value={query.limit}
      placeholder={largest ? t('editor.limit.largest', 'All, or the largest N') : t('editor.limit.all', 'All')}
      bounds={{ min: 1 }}
      testId={selectors.query.limit}
      onChange={(limit) => onChange({ limit })}
    />
  );
}
