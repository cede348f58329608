import React from 'react';

import { type QueryEditorHelpProps } from '@grafana/data';
import { t, Trans } from '@grafana/i18n';
import { Button, Card, Dropdown, Menu, Stack } from '@grafana/ui';

import { applyPreset, presets } from '../presets';
import { type InsightsQuery, type QueryParts } from '../query';
import { selectors } from '../selectors';
import { Labeled } from './inputs';

interface PresetsMenuProps {
  onChoose: (query: QueryParts) => void;
}

/** Questions that fill the editor in one click. */
export function PresetsMenu({ onChoose }: PresetsMenuProps) {
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

type QueryHelpProps = Pick<QueryEditorHelpProps<InsightsQuery>, 'query' | 'onClickExample'>;

/** Explore's help: the presets, each with what it answers. */
export function QueryHelp({ query, onClickExample }: QueryHelpProps) {
  return (
    <Stack direction="column" gap={1}>
      <h2>
        <Trans i18nKey="help.title">Questions to start from</Trans>
      </h2>
      {presets().map((preset) => (
        <Card
          key={preset.name}
          noMargin
          data-testid={selectors.help.example(preset.name)}
          onClick={() => onClickExample(applyPreset(query, preset.query))}
        >
          <Card.Heading>{preset.title}</Card.Heading>
          <Card.Description>{preset.description}</Card.Description>
        </Card>
      ))}
    </Stack>
  );
}
