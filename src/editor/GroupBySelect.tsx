import React from 'react';

import { t } from '@grafana/i18n';
import { MultiCombobox } from '@grafana/ui';

import { groupableFields } from '../../datasets/datasets';
import { selectors } from '../selectors';
import { type ControlProps } from './control';
import { fieldOptions, variableOptions } from './fieldOptions';
import { Labeled } from './Labeled';

/** Which fields become labels: one number or line for each combination of their values. */
export function GroupBySelect({ query, dataSet, datasource, onChange }: ControlProps) {
  return (
    <Labeled label={t('editor.group-by.label', 'Group by')}>
      {({ id, labelId }) => (
        <MultiCombobox
          id={id}
          aria-labelledby={labelId}
          data-testid={selectors.query.groupBy}
          width="auto"
          minWidth={25}
          maxWidth={80}
          isClearable
          placeholder={t('editor.group-by.placeholder', 'Nothing: one number for all')}
          options={[...fieldOptions(dataSet, groupableFields(dataSet)), ...variableOptions(datasource.variableNames())]}
          value={query.groupBy ?? []}
          onChange={(options) => onChange({ groupBy: options.map(({ value }) => value) })}
        />
      )}
    </Labeled>
  );
}
