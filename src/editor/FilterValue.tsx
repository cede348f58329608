import React, { useCallback } from 'react';

import { t } from '@grafana/i18n';
import { MultiCombobox } from '@grafana/ui';

import { type Filter, type Operator } from '../query';
import { selectors } from '../selectors';
import { fetchSuggestions, suggestionOptions } from '../suggestions';
import { type ControlProps } from './control';
import { variableOptions } from './fieldOptions';
import { isMultiValue } from './filterRows';
import { FreeText } from './FreeText';
import { Labeled } from './Labeled';
import { SuggestInput } from './SuggestInput';

interface Props extends Pick<ControlProps, 'dataSet' | 'datasource' | 'days'> {
  filter: Filter;
  index: number;
  onChange: (filter: Filter) => void;
}

const comparesEqual: Operator[] = ['=', '!=', '=|', '!=|'];

/** What a field is compared with: values that exist, variables, or any text. */
export function FilterValue({ filter, index, dataSet, datasource, days, onChange }: Props) {
  const { key, operator, value, values = [] } = filter;
  const isText = dataSet.fields.find(({ name }) => name === key)?.type === 'string';
  const knowsNoValue = comparesEqual.includes(operator);
  const load = useCallback(
    async (typed: string) => {
      const variables = variableOptions(datasource.variableNames()).filter((option) => option.value.includes(typed));
      const request = { days, search: typed || undefined };
      // Nobody picks a number or a time from a list of those that exist.
      const suggested = isText ? await suggestionOptions(fetchSuggestions(datasource, dataSet, key, request)) : [];
      return [...(typed || !knowsNoValue ? [] : [{ value: '', label: noValueLabel() }]), ...suggested, ...variables];
    },
    [datasource, dataSet, key, isText, knowsNoValue, days]
  );
  const setValues = (changed: string[]) => onChange({ key, operator, values: [...new Set(changed)] });
  const testId = selectors.query.filterValue(index);
  return (
    <Labeled label={t('editor.filter.value', 'Value')}>
      {({ id, labelId }) =>
        isMultiValue(operator) ? (
          <FreeText onText={(text) => setValues([...values, text])}>
            <MultiCombobox
              id={id}
              aria-labelledby={labelId}
              data-testid={testId}
              width="auto"
              minWidth={30}
              maxWidth={80}
              isClearable
              createCustomValue
              options={load}
              value={values.map((chosen) => ({ value: chosen, label: chosen || noValueLabel() }))}
              onChange={(options) => setValues(options.map((option) => option.value))}
            />
          </FreeText>
        ) : (
          <SuggestInput
            id={id}
            testId={testId}
            value={value}
            emptyLabel={noValueLabel()}
            load={load}
            onChange={(changed) => onChange({ key, operator, value: changed })}
          />
        )
      }
    </Labeled>
  );
}

/** The empty text stands for rows that have no value there. */
function noValueLabel(): string {
  return t('editor.filter.no-value', '(no value)');
}
