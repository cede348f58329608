import React from 'react';

import { t } from '@grafana/i18n';
import { RadioButtonGroup } from '@grafana/ui';

import { formatLabels } from '../describe';
import { defaultFormat, type Format } from '../query';
import { selectors } from '../selectors';
import { Labeled } from './Labeled';

interface Props {
  format: Format | undefined;
  onChange: (format: Format) => void;
}

/** How rows are shown. */
export function FormatChoice({ format = defaultFormat, onChange }: Props) {
  const label = t('editor.format.label', 'Show as');
  const labels = formatLabels();
  const offered: Format[] = ['table', 'numeric', 'timeseries'];
  return (
    <Labeled label={label}>
      {({ id }) => (
        <div data-testid={selectors.query.format}>
          <RadioButtonGroup
            id={id}
            aria-label={label}
            value={format}
            options={offered.map((value) => ({ value, label: labels[value] }))}
            onChange={onChange}
          />
        </div>
      )}
    </Labeled>
  );
}
