import { isEmpty } from 'lodash';
import React from 'react';

import { t } from '@grafana/i18n';
import { Alert, Button } from '@grafana/ui';

import { getDataSet } from '../../schema/datasets';
import { type Fitted } from '../fit';
import { defaultFormat, type InsightsQuery } from '../query';
import { selectors } from '../selectors';
import { labelOf, formatLabel, invalidText } from '../texts';
import { partLabels } from './inputs';

interface ResetAlertProps {
  query: Pick<InsightsQuery, 'queryType' | 'format'>;
  reset: Fitted['reset'];
  onDismiss: () => void;
}

/** Names the parts of the query that the last change reset. */
export function ResetAlert({ query: { queryType, format = defaultFormat }, reset, onDismiss }: ResetAlertProps) {
  if (reset.length === 0) {
    return null;
  }
  const labels = partLabels(format);
  const values = {
    dataSet: labelOf(getDataSet(queryType)),
    format: formatLabel(format),
    parts: reset.map((part) => labels[part]).join(', '),
    interpolation: { escapeValue: false },
  };
  return (
    <Alert
      severity="info"
      bottomSpacing={0}
      topSpacing={0}
      data-testid={selectors.query.reset}
      title={t(
        'editor.reset',
        'Reset, because it does not apply to {{dataSet}} shown as {{format}}: {{parts}}',
        values
      )}
      onRemove={onDismiss}
    />
  );
}

interface InvalidAlertProps {
  /** What can't be read, by property. */
  invalid: object;
  onRemove: () => void;
}

/** Names the properties of a saved query that can't be read. They stay in the query until they are set or removed. */
export function InvalidAlert({ invalid, onRemove }: InvalidAlertProps) {
  if (isEmpty(invalid)) {
    return null;
  }
  return (
    <Alert
      severity="error"
      bottomSpacing={0}
      topSpacing={0}
      data-testid={selectors.query.invalid}
      title={invalidText(invalid)}
    >
      {/* The button of the alert itself would be called "Close alert". */}
      <Button type="button" variant="secondary" size="sm" onClick={onRemove}>
        {t('editor.invalid.remove', 'Remove')}
      </Button>
    </Alert>
  );
}
