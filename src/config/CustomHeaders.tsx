import React, { useState } from 'react';

import { Trans } from '@grafana/i18n';
import { Button } from '@grafana/ui';

import { selectors } from '../selectors';
import { CustomHeader } from './CustomHeader';
import { headers, withoutHeader } from './headers';
import { type ConfigProps } from './options';

/** HTTP headers that are sent with every request, for proxies on the way. */
export function CustomHeaders({ options, onOptionsChange }: ConfigProps) {
  const named = headers(options);
  // A new header is not part of the settings before it has a name.
  const [newIndex, setNewIndex] = useState<number>();
  const isNew = newIndex !== undefined && newIndex > named.length;
  const rows = isNew ? [...named, { index: newIndex, name: '' }] : named;
  return (
    <>
      {rows.map((header) => (
        <CustomHeader
          key={header.index}
          header={header}
          options={options}
          onOptionsChange={onOptionsChange}
          onRemove={() => {
            setNewIndex(undefined);
            onOptionsChange(withoutHeader(options, header.index));
          }}
        />
      ))}
      <Button
        type="button"
        variant="secondary"
        icon="plus"
        disabled={options.readOnly || isNew}
        data-testid={selectors.config.headerAdd}
        onClick={() => setNewIndex(named.length + 1)}
      >
        <Trans i18nKey="config.headers.add">Add header</Trans>
      </Button>
    </>
  );
}
