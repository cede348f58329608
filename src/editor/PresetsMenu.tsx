import React from 'react';

import { t, Trans } from '@grafana/i18n';
import { Button, Dropdown, Menu } from '@grafana/ui';

import { presets } from '../presets';
import { type QueryParts } from '../query';
import { selectors } from '../selectors';
import { Labeled } from './Labeled';

interface Props {
  onChoose: (query: QueryParts) => void;
}

/** Questions that fill the editor in one click. */
export function PresetsMenu({ onChoose }: Props) {
  const menu = (
    <Menu>
      {presets().map(({ name, title, description, query }) => (
        <Menu.Item
          key={name}
          label={title}
          description={description}
          testId={selectors.query.preset(name)}
          onClick={() => onChoose(query)}
        />
      ))}
    </Menu>
  );
  return (
    <Labeled label={t('editor.presets.label', 'Start from')}>
      {({ id }) => (
        <Dropdown overlay={menu} placement="bottom-end">
          <Button id={id} type="button" variant="secondary" icon="list-ul" data-testid={selectors.query.presets}>
            <Trans i18nKey="editor.presets.button">Presets</Trans>
          </Button>
        </Dropdown>
      )}
    </Labeled>
  );
}
