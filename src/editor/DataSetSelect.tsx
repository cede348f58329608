import React from 'react';

import { t } from '@grafana/i18n';
import { Combobox } from '@grafana/ui';

import { type DataSetName, dataSets } from '../../datasets/datasets';
import { selectors } from '../selectors';
import { dataSetDescription, dataSetLabel } from '../texts';
import { Labeled } from './Labeled';

interface Props {
  /** As the query has it, so that a name which no data set has is seen. */
  name: DataSetName | undefined;
  testId?: string;
  onChange: (name: DataSetName) => void;
}

/** Which data set is asked. */
export function DataSetSelect({ name = dataSets[0].name, testId = selectors.query.dataSet, onChange }: Props) {
  const options = dataSets.map((dataSet) => ({
    value: dataSet.name,
    label: dataSetLabel(dataSet),
    description: dataSetDescription(dataSet),
  }));
  return (
    <Labeled label={t('editor.data-set.label', 'Data set')}>
      {({ id }) => (
        <Combobox
          id={id}
          data-testid={testId}
          width={20}
          options={options}
          value={name}
          onChange={({ value }) => onChange(value)}
        />
      )}
    </Labeled>
  );
}
