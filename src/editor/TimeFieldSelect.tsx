import React from 'react';

import { t } from '@grafana/i18n';
import { Combobox } from '@grafana/ui';

import { type DataSet } from '../../datasets/datasets';
import { defaultTimeField, type TimeField } from '../query';
import { selectors } from '../selectors';
import { fieldOptions } from './fieldOptions';
import { Labeled } from './Labeled';

interface Props {
  dataSet: DataSet;
  timeField: TimeField | undefined;
  testId?: string;
  onChange: (timeField: TimeField | undefined) => void;
}

/** Which of the times of a task places it in the time range. */
export function TimeFieldSelect({ dataSet, timeField, testId = selectors.query.timeField, onChange }: Props) {
  const offered = dataSet.fields.filter(({ name }) => dataSet.timeFields?.includes(name));
  return (
    <Labeled label={t('editor.time-field.label', 'Time field')}>
      {({ id }) => (
        <Combobox
          id={id}
          data-testid={testId}
          width={25}
          options={fieldOptions(dataSet, offered)}
          value={timeField ?? defaultTimeField}
          onChange={({ value }) => onChange(value === defaultTimeField ? undefined : (value as TimeField))}
        />
      )}
    </Labeled>
  );
}
