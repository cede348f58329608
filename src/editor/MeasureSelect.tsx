import React from 'react';

import { t } from '@grafana/i18n';
import { Combobox } from '@grafana/ui';

import { measuresFor } from '../fit';
import { selectors } from '../selectors';
import { measureDescription, measureLabel } from '../texts';
import { type ControlProps } from './control';
import { variableOptions } from './fieldOptions';
import { Labeled } from './Labeled';

/** What is computed over the rows. A line of sums has those alone that add up over time. */
export function MeasureSelect({ query, dataSet, datasource, onChange }: ControlProps) {
  const offered = measuresFor(dataSet, query.format);
  const options = [
    ...offered.map((measure) => ({
      value: measure.name,
      label: measureLabel(dataSet, measure),
      description: measureDescription(dataSet, measure),
    })),
    ...variableOptions(datasource.variableNames()),
  ];
  return (
    <Labeled label={t('editor.measure.label', 'Measure')}>
      {({ id }) => (
        <Combobox
          id={id}
          data-testid={selectors.query.measure}
          width={30}
          options={options}
          value={query.measure ?? null}
          onChange={({ value }) => onChange({ measure: value })}
        />
      )}
    </Labeled>
  );
}
