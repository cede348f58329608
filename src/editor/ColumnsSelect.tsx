import React from 'react';

import { t } from '@grafana/i18n';
import { MultiCombobox } from '@grafana/ui';

import { selectors } from '../selectors';
import { type ControlProps } from './control';
import { fieldOptions, nameOptions, variableOptions } from './fieldOptions';
import { Labeled } from './Labeled';

/** Which fields a table shows, in the order in which they are chosen. */
export function ColumnsSelect({ query, dataSet, datasource, seenFields, onChange }: ControlProps) {
  return (
    <Labeled label={t('editor.columns.label', 'Columns')}>
      {({ id, labelId }) => (
        <MultiCombobox
          id={id}
          aria-labelledby={labelId}
          data-testid={selectors.query.columns}
          width="auto"
          minWidth={30}
          maxWidth={100}
          isClearable
          placeholder={t('editor.columns.placeholder', 'All')}
          options={[
            ...fieldOptions(dataSet, dataSet.fields),
            ...nameOptions(seenFields),
            ...variableOptions(datasource.variableNames()),
          ]}
          value={query.columns ?? []}
          onChange={(options) => onChange({ columns: options.map(({ value }) => value) })}
        />
      )}
    </Labeled>
  );
}
