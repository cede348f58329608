import React from 'react';

import { type QueryEditorHelpProps } from '@grafana/data';
import { Trans } from '@grafana/i18n';
import { Card, Stack } from '@grafana/ui';

import { applyPreset, presets } from '../presets';
import { type InsightsQuery } from '../query';
import { selectors } from '../selectors';

type Props = Pick<QueryEditorHelpProps<InsightsQuery>, 'query' | 'onClickExample'>;

/** Explore's help: the presets, each with what it answers. */
export function QueryHelp({ query, onClickExample }: Props) {
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
