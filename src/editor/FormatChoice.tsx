import React from 'react';

import { t } from '@grafana/i18n';
import { RadioButtonGroup, Text } from '@grafana/ui';

import { type DataSet } from '../../datasets/datasets';
import { formatLabels } from '../describe';
import { hasHistory } from '../fit';
import { defaultFormat, type Format } from '../query';
import { selectors } from '../selectors';
import { Labeled } from './Labeled';

interface Props {
  format: Format | undefined;
  dataSet: DataSet;
  onChange: (format: Format) => void;
}

/** How rows are shown. A line needs a history, which the service gives of tasks only. */
export function FormatChoice({ format = defaultFormat, dataSet, onChange }: Props) {
  const label = t('editor.format.label', 'Show as');
  const noLine = !hasHistory(dataSet);
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
            disabledOptions={noLine ? ['timeseries'] : []}
            onChange={onChange}
          />
          {noLine && (
            <Text element="p" variant="bodySmall" color="secondary">
              {t('editor.format.no-line', 'No line: the service keeps no history. Use tasks, or a recording rule.')}
            </Text>
          )}
        </div>
      )}
    </Labeled>
  );
}
