import React from 'react';

import { type QueryEditorHelpProps } from '@grafana/data';
import { t } from '@grafana/i18n';
import { Button, Stack, Text } from '@grafana/ui';

import { applyPreset, presets } from '../query/presets';
import { type InsightsQuery } from '../query/query';
import { selectors } from '../selectors';

type Props = Pick<QueryEditorHelpProps<InsightsQuery>, 'query' | 'onClickExample'>;

/** The data source help of Explore: the starter queries, one line each. */
export function QueryHelp({ query, onClickExample }: Props) {
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
