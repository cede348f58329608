import React from 'react';

import { t } from '@grafana/i18n';
import { Alert } from '@grafana/ui';

import { getDataSet } from '../../schema/datasets';
import { KeepFocus } from '../controls/KeepFocus';
import { type Part } from '../query/parts';
import { defaultFormat, type InsightsQuery } from '../query/query';
import { selectors } from '../selectors';
import { formatLabel, labelOf } from '../query/texts';
import { partLabels } from './labels';

/** Names the parts of a query that its last change reset. */
export function resetText({ queryType, format = defaultFormat }: InsightsQuery, reset: Part[]): string {
  const labels = partLabels(format);
  return t('editor.reset', 'Reset, because it does not apply to {{dataSet}} shown as {{format}}: {{parts}}', {
    dataSet: labelOf(getDataSet(queryType)),
    format: formatLabel(format),
    parts: reset.map((part) => labels[part]).join(', '),
    interpolation: { escapeValue: false },
  });
}

interface ResetAlertProps {
  /** What the last change reset, if anything. */
  text: string | undefined;
  onDismiss: () => void;
}

/** What the last change reset. */
export function ResetAlert({ text, onDismiss }: ResetAlertProps) {
  return (
    <KeepFocus>
      {text && (
        <Alert
          severity="info"
          bottomSpacing={0}
          topSpacing={0}
          data-testid={selectors.query.reset}
          title={text}
          onRemove={onDismiss}
        />
      )}
    </KeepFocus>
  );
}
