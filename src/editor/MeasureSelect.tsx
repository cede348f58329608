import React from 'react';

import { t } from '@grafana/i18n';
import { Combobox, Text } from '@grafana/ui';

import { type DataSet, type Measure, measures } from '../../datasets/datasets';
import { selectors } from '../selectors';
import { measureDescription, measureLabel } from '../texts';
import { type ControlProps } from './control';
import { variableOptions } from './fieldOptions';
import { Labeled } from './Labeled';

/** What is computed over the rows, with what it means beside it: three success rates look alike and are not. */
export function MeasureSelect({ query, dataSet, datasource, days, onChange }: ControlProps) {
  const offered = measures(dataSet);
  const chosen = offered.find(({ name }) => name === query.measure);
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
        <>
          <Combobox
            id={id}
            data-testid={selectors.query.measure}
            width={30}
            options={options}
            value={query.measure ?? null}
            onChange={({ value }) => onChange({ measure: value })}
          />
          {chosen && (
            <div data-testid={selectors.query.measureHelp}>
              <Text element="p" variant="bodySmall" color="secondary">
                {help(dataSet, chosen, days)}
              </Text>
            </div>
          )}
        </>
      )}
    </Labeled>
  );
}

/** A number that the service itself computes is never rescaled, so a threshold must be in the service's scale. */
function help(dataSet: DataSet, measure: Measure, days: number): string {
  const description = measureDescription(dataSet, measure);
  if (dataSet.measures) {
    return description;
  }
  return dataSet.fields.find(({ name }) => name === measure.name)?.rate
    ? t(
        'editor.measure.rate',
        '{{description}}. Reported by the service over {{days}} days: a threshold means the service’s own number.',
        { description, days, interpolation: { escapeValue: false } }
      )
    : t('editor.measure.sum', '{{description}}. Reported by the service over {{days}} days.', {
        description,
        days,
        interpolation: { escapeValue: false },
      });
}
