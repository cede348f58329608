import React from 'react';

import { t } from '@grafana/i18n';
import { Alert, Button, Stack, Text } from '@grafana/ui';

import { getDataSet } from '../../schema/datasets';
import { betterVisualization, type PanelDefaults } from '../panel/panelDefaults';
import { type Part } from '../query/parts';
import { defaultFormat, type InsightsQuery } from '../query/query';
import { selectors } from '../selectors';
import { formatLabel, labelOf, unknownText } from '../query/texts';
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

/** Names the variables of a query that don't exist: it contains their names in the place of values. */
export function UnknownVariables({ names }: { names: string[] }) {
  const text = unknownText(names);
  return text && <Alert severity="warning" bottomSpacing={0} topSpacing={0} title={text} />;
}

type ResetAlertProps = { text: string | undefined; onDismiss: () => void };

/** What the last change reset. */
export function ResetAlert({ text, onDismiss }: ResetAlertProps) {
  return (
    text && (
      <Alert
        severity="info"
        bottomSpacing={0}
        topSpacing={0}
        data-testid={selectors.query.reset}
        title={text}
        onRemove={onDismiss}
      />
    )
  );
}

interface DrawnByProps {
  /** ID of the panel's visualization; undefined outside of panels. */
  visualization: string | undefined;
  /** How a panel can draw the query; undefined if anything can. */
  look: PanelDefaults | undefined;
  onSwitch: (look: PanelDefaults) => void;
}

/** Names the visualization that draws the query where that of the panel can't, and switches to it. */
export function DrawnBy({ visualization, look, onSwitch }: DrawnByProps) {
  const better = betterVisualization(visualization, look);
  const values = { visualization: better };
  return (
    better &&
    look && (
      <Stack gap={1} alignItems="center" data-testid={selectors.query.drawnBy}>
        <Text variant="bodySmall">{t('editor.drawn-by', 'Drawn by {{visualization}}', values)}</Text>
        <Button type="button" variant="secondary" size="sm" fill="text" onClick={() => onSwitch(look)}>
          {t('editor.switch-to', 'Switch to {{visualization}}', values)}
        </Button>
      </Stack>
    )
  );
}
