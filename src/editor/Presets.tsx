import React from 'react';

import { type QueryEditorHelpProps } from '@grafana/data';
import { t, Trans } from '@grafana/i18n';
import { Button, Dropdown, Menu, Stack, Text } from '@grafana/ui';

import { applyPreset, type Preset, presets } from '../query/presets';
import { type InsightsQuery } from '../query/query';
import { selectors } from '../selectors';

type PresetsMenuProps = { presets: Preset[]; onChoose: (preset: Preset) => void };

/** Starter queries, each with what it shows. */
export function PresetsMenu({ presets: offered, onChoose }: PresetsMenuProps) {
  const menu = (
    <Menu>
      {offered.map((preset) => (
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

type HelpProps = Pick<QueryEditorHelpProps<InsightsQuery>, 'query' | 'onClickExample'>;

/** The data source help of Explore: the starter queries, one line each. */
export function QueryHelp({ query, onClickExample }: HelpProps) {
  return (
    <Stack direction="column" gap={1}>
      <Text element="h3" variant="h5">
        {t('editor.help.title', 'Starter queries')}
      </Text>
      {presets().map((preset) => (
        <Stack key={preset.name} alignItems="center" gap={1} wrap="wrap">
          <Button
            type="button"
            variant="secondary"
            size="sm"
            data-testid={selectors.query.example(preset.name)}
            onClick={() => onClickExample(applyPreset(query, preset.query))}
          >
            {preset.title}
          </Button>
          <Text color="secondary">{preset.description}</Text>
        </Stack>
      ))}
    </Stack>
  );
}
