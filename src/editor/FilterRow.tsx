import React from 'react';

import { t } from '@grafana/i18n';
import { Button, Combobox, type ComboboxOption, Stack } from '@grafana/ui';

import { type Filter, type Operator, operators } from '../query';
import { selectors } from '../selectors';
import { type ControlProps } from './control';
import { fieldOptions, nameOptions, variableOptions } from './fieldOptions';
import { withKey, withOperator } from './filterRows';
import { FilterValue } from './FilterValue';
import { Labeled } from './Labeled';

interface Props extends Omit<ControlProps, 'query' | 'onChange'> {
  filter: Filter;
  index: number;
  onChange: (filter: Filter) => void;
  onRemove: () => void;
}

/** One filter: field, operator, value. */
export function FilterRow({ filter, index, onChange, onRemove, ...control }: Props) {
  const { dataSet, datasource, seenFields } = control;
  const fields = [
    ...fieldOptions(dataSet, dataSet.fields),
    ...nameOptions(seenFields),
    ...variableOptions(datasource.variableNames()),
  ];
  return (
    <Stack gap={1} alignItems="flex-end" wrap="wrap">
      <Labeled label={t('editor.filter.field', 'Field')}>
        {({ id }) => (
          <Combobox
            id={id}
            data-testid={selectors.query.filterField(index)}
            width={25}
            options={fields}
            value={filter.key || null}
            onChange={({ value }) => onChange(withKey(filter, value))}
          />
        )}
      </Labeled>
      <Labeled label={t('editor.filter.operator', 'Operator')}>
        {({ id }) => (
          <Combobox
            id={id}
            data-testid={selectors.query.filterOperator(index)}
            width={12}
            options={operatorOptions()}
            value={filter.operator}
            onChange={({ value }) => onChange(withOperator(filter, value))}
          />
        )}
      </Labeled>
      <FilterValue filter={filter} index={index} onChange={onChange} {...control} />
      <Button
        type="button"
        variant="secondary"
        fill="text"
        icon="trash-alt"
        aria-label={t('editor.filter.remove', 'Remove filter {{index}}', { index: index + 1 })}
        data-testid={selectors.query.filterRemove(index)}
        onClick={onRemove}
      />
    </Stack>
  );
}

function operatorOptions(): Array<ComboboxOption<Operator>> {
  const descriptions: Record<Operator, string> = {
    '=': t('editor.operator.equal', 'Equals'),
    '!=': t('editor.operator.not-equal', 'Does not equal'),
    '=~': t('editor.operator.matches', 'Matches regex'),
    '!~': t('editor.operator.not-matches', 'Does not match regex'),
    '=|': t('editor.operator.one-of', 'One of'),
    '!=|': t('editor.operator.not-one-of', 'Not one of'),
    '<': t('editor.operator.less', 'Less than'),
    '<=': t('editor.operator.less-or-equal', 'At most'),
    '>': t('editor.operator.greater', 'Greater than'),
    '>=': t('editor.operator.greater-or-equal', 'At least'),
  };
  return operators.map((operator) => ({ value: operator, description: descriptions[operator] }));
}
