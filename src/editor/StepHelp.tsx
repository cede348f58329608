import React from 'react';

import { t } from '@grafana/i18n';
import { Text } from '@grafana/ui';

import { selectors } from '../selectors';

interface Props {
  /** Interval of the panel, as Grafana writes it and in milliseconds; absent before the first answer. */
  interval?: string;
  intervalMs?: number;
}

const dayMs = 86_400_000;

/** What a point of a line of sums is, and that it cannot be shorter than a day. */
export function StepHelp({ interval, intervalMs = dayMs }: Props) {
  return (
    <div data-testid={selectors.query.stepHelp}>
      <Text element="p" variant="bodySmall" color="secondary">
        {t(
          'editor.step.help',
          'Each point is what was added up in one step of whole days of 24 hours, counted back from now.'
        )}
      </Text>
      {intervalMs < dayMs && (
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
