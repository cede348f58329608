import { isEqual } from 'lodash';
import React, { useState } from 'react';

import { Trans } from '@grafana/i18n';
import { Button, Stack } from '@grafana/ui';

import { type Filter } from '../query';
import { selectors } from '../selectors';
import { type ControlProps } from './control';
import { FilterRow } from './FilterRow';
import { isComplete, newFilter } from './filterRows';

/** Which rows are kept. A filter that is not complete stays here: an alert rule would fail on it. */
export function Filters({ query, onChange, ...control }: ControlProps) {
  const saved = query.filters ?? [];
  const [edited, setEdited] = useState(saved);
  // Filters that come from elsewhere, such as a preset, win over those that are not complete.
  const rows = isEqual(edited.filter(isComplete), saved) ? edited : saved;

  const change = (changed: Filter[]) => {
    setEdited(changed);
    const complete = changed.filter(isComplete);
    if (!isEqual(complete, saved)) {
      onChange({ filters: complete });
    }
  };

  return (
    <Stack direction="column" gap={1} alignItems="flex-start">
      {rows.map((filter, index) => (
        <FilterRow
          key={index}
          {...control}
          filter={filter}
          index={index}
          onChange={(changed) => change(rows.map((row, at) => (at === index ? changed : row)))}
          onRemove={() => change(rows.filter((_, at) => at !== index))}
        />
      ))}
      <Button
        type="button"
        variant="secondary"
        size="sm"
        icon="plus"
        data-testid={selectors.query.filterAdd}
        onClick={() => change([...rows, newFilter])}
      >
        <Trans i18nKey="editor.filter.add">Add filter</Trans>
      </Button>
    </Stack>
  );
}
