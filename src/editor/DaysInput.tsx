import React from 'react';

import { t } from '@grafana/i18n';

import { selectors } from '../selectors';
import { NumberInput } from './NumberInput';

interface Props {
  days: number | undefined;
  testId?: string;
  onChange: (days: number | undefined) => void;
}

/** How many days to look back; empty follows the time range. */
export function DaysInput({ days, testId = selectors.query.days, onChange }: Props) {
  return (
    <NumberInput
      label={t('editor.days.label', 'Days')}
      value={days}
      placeholder={t('editor.days.placeholder', 'Follow time range')}
      bounds={{ min: 1 }}
      testId={testId}
      onChange={onChange}
    />
  );
}
