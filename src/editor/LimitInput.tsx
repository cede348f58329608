import React from 'react';

import { t } from '@grafana/i18n';

import { selectors } from '../selectors';
import { type ControlProps } from './control';
import { NumberInput } from './NumberInput';

/** How many rows a table has, or how many lines a graph, the largest first. */
export function LimitInput({ query, onChange }: ControlProps) {
  const isTable = query.format === undefined;
  return (
    <NumberInput
      label={isTable ? t('editor.limit.rows', 'Rows') : t('editor.limit.series', 'Series, largest first')}
      value={query.limit}
      placeholder={t('editor.limit.placeholder', 'All')}
      bounds={{ min: 1 }}
      testId={selectors.query.limit}
      onChange={(limit) => onChange({ limit })}
    />
  );
}
