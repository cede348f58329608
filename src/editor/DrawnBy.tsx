import React from 'react';

import { t } from '@grafana/i18n';
import { Button, Stack, Text } from '@grafana/ui';

import { KeepFocus } from '../controls/KeepFocus';
import { betterVisualization, type PanelDefaults } from '../panel/panelDefaults';
import { selectors } from '../selectors';

interface Props {
  /** ID of the panel's visualization; undefined outside of panels. */
  visualization: string | undefined;
  /** How a panel can draw the query; undefined if anything can. */
  look: PanelDefaults | undefined;
  onSwitch: (look: PanelDefaults) => void;
}

/** Names the visualization that draws the query where that of the panel can't, and switches to it. */
export function DrawnBy({ visualization, look, onSwitch }: Props) {
  const better = betterVisualization(visualization, look);
  const values = { visualization: better };
  return (
    <KeepFocus>
      {better && look && (
        <Stack gap={1} alignItems="center" data-testid={selectors.query.drawnBy}>
          <Text variant="bodySmall">{t('editor.drawn-by', 'Drawn by {{visualization}}', values)}</Text>
          <Button type="button" variant="secondary" size="sm" fill="text" onClick={() => onSwitch(look)}>
            {t('editor.switch-to', 'Switch to {{visualization}}', values)}
          </Button>
        </Stack>
      )}
    </KeepFocus>
  );
}
