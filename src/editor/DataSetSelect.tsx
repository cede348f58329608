import React from 'react';

import { t } from '@grafana/i18n';
import { Combobox } from '@grafana/ui';

import { type DataSet, type DataSetName, dataSets } from '../../datasets/datasets';
import { selectors } from '../selectors';
import { dataSetDescription, dataSetLabel } from '../texts';
import { Labeled } from './Labeled';

interface Props {
  dataSet: DataSet;
  testId?: string;
  onChange: (name: DataSetName) => void;
}

/** Which data set is asked. */
export function DataSetSelect({ dataSet, testId = selectors.query.dataSet, onChange }: Props) {
  const options = dataSets.map((offered) => ({
    value: offered.name,
    label: dataSetLabel(offered),
    description: dataSetDescription(offered),
  }));
  return (
    <Labeled label={t('editor.data-set.label', 'Data set')}>
      {({ id }) => (
        <Combobox
          id={id}
          data-testid={testId}
          width={20}
          options={options}
          value={dataSet.name}
          onChange={({ value }) => onChange(value)}
        />
      )}
    </Labeled>
  );
}
