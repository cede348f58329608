import React from 'react';

import { type IconName, type QueryEditorHelpProps } from '@grafana/data';
import { t, Trans } from '@grafana/i18n';
import { Button, Card, Dropdown, Menu, Stack } from '@grafana/ui';

import { applyPreset, type Preset, presets } from '../presets';
import { type InsightsQuery } from '../query';
import { selectors } from '../selectors';
import { Labeled } from './inputs';

interface PresetsMenuProps {
  onChoose: (preset: Preset) => void;
}

const icons: Record<string, IconName> = {
  timeseries: 'chart-line',
  bargauge: 'graph-bar',
  stat: 'calculator-alt',
  table: 'table',
  'state-timeline': 'gf-interpolation-step-after',
};

/** Starter queries, each with the icon of its visualization. */
export function PresetsMenu({ onChoose }: PresetsMenuProps) {
  const menu = (
    <Menu>
      {presets().map((preset) => (
        <Menu.Item
          key={preset.name}
          label={preset.title}
          description={preset.description}
          icon={icons[preset.look.visualizations[0]]}
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

type QueryHelpProps = Pick<QueryEditorHelpProps<InsightsQuery>, 'query' | 'onClickExample'>;

/** The help of the query editor: the presets, each with what it shows. */
export function QueryHelp({ query, onClickExample }: QueryHelpProps) {
  return (
    <Stack direction="column" gap={1}>
      <h2>
        <Trans i18nKey="help.title">Starter queries</Trans>
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
