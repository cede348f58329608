import React from 'react';

import { Trans } from '@grafana/i18n';
import { Button, Dropdown, Menu } from '@grafana/ui';

import { type Preset } from '../query/presets';
import { selectors } from '../selectors';

interface PresetsMenuProps {
  presets: Preset[];
  onChoose: (preset: Preset) => void;
}

/** Starter queries, each with what it shows. */
export function PresetsMenu({ presets, onChoose }: PresetsMenuProps) {
  const menu = (
    <Menu>
      {presets.map((preset) => (
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
    <Dropdown overlay={menu} placement="bottom-start">
      <Button type="button" variant="secondary" icon="list-ul" data-testid={selectors.query.presets}>
        <Trans i18nKey="editor.presets.label">Starter query</Trans>
      </Button>
    </Dropdown>
  );
}
