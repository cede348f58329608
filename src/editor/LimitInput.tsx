import React from 'react';

import { t } from '@grafana/i18n';

import { type Format } from '../query';
import { selectors } from '../selectors';
import { type ControlProps } from './control';
import { NumberInput } from './NumberInput';

/** How many rows a table has, or how many numbers or lines there are: the largest, where no sort says otherwise. */
export function LimitInput({ query, onChange }: ControlProps) {
  const labels: Record<Format, string> = {
    table: t('editor.limit.rows', 'Rows'),
    numeric: t('editor.limit.groups', 'Groups'),
    timeseries: t('editor.limit.series', 'Series'),
  };
  const largest = query.format && !query.sort;
  return (
    <NumberInput
      label={labels[query.format ?? 'table']}
      value={query.limit}
      placeholder={largest ? t('editor.limit.largest', 'All, or the largest …') : t('editor.limit.all', 'All')}
      bounds={{ min: 1 }}
      testId={selectors.query.limit}
      onChange={(limit) => onChange({ limit })}
    />
  );
}
