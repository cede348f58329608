import React from 'react';

import { t, Trans } from '@grafana/i18n';
import { Button, Dropdown, Menu } from '@grafana/ui';

import { type Preset, presets } from '../presets';
import { selectors } from '../selectors';
import { Labeled } from './inputs';

interface PresetsMenuProps {
  onChoose: (preset: Preset) => void;
}

/** Starter queries, each with what it shows. */
export function PresetsMenu({ onChoose }: PresetsMenuProps) {
  const menu = (
    <Menu>
      {presets().map((preset) => (
        <Menu.Item
          key={preset.name}
          label={preset.title}
          description={preset.description}
          testId={selectors.query.preset(preset.name)}
          onClick={() => onChoose(preset)}
        />
      ))}
    </Menu>
  );
  return (
    <Labeled label={t('editor.presets.label', 'Starter query')}>
      {({ id }) => (
        <Dropdown overlay={menu} placement="bottom-start">
          <Button id={id} type="button" variant="secondary" icon="list-ul" data-testid={selectors.query.presets}>
            <Trans i18nKey="editor.presets.button">Select</Trans>
          </Button>
        </Dropdown>
      )}
    </Labeled>
  );
}
