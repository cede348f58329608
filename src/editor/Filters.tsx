import { isEqual } from 'lodash';
import React, { useCallback, useState } from 'react';

import { t, Trans } from '@grafana/i18n';
import { Button, type ComboboxOption, MultiCombobox, Stack } from '@grafana/ui';

import { namedFields } from '../../datasets/datasets';
import { isVariable } from '../fit';
import { type Filter, type Operator, operators } from '../query';
import { selectors } from '../selectors';
import { fetchSuggestions, suggestionOptions } from '../suggestions';
import { type ControlProps, fieldChoices, variableOptions } from './control';
import { Labeled, Select } from './inputs';
import { FreeText, SuggestInput } from './SuggestInput';

/** The filters of a query. An incomplete filter is not saved, because an alert rule would fail on it. */
export function Filters({ query, onChange, ...control }: ControlProps) {
  const saved = query.filters ?? [];
  const [edited, setEdited] = useState(saved);
  // Filters that are set from outside, for example by a preset, replace incomplete ones.
  const rows = isEqual(edited.filter(isComplete), saved) ? edited : saved;

  const change = (changed: Filter[]) => {
    setEdited(changed);
    const complete = changed.filter(isComplete);
    if (!isEqual(complete, saved)) {
      onChange({ filters: complete });
    }
  };

  return (
    <Stack direction="column" gap={1} alignItems="flex-start">
      {rows.map((filter, index) => (
        <FilterRow
          key={index}
          {...control}
          filter={filter}
          index={index}
          onChange={(changed) => change(rows.map((row, at) => (at === index ? changed : row)))}
          onRemove={() => change(rows.filter((_, at) => at !== index))}
        />
      ))}
      <Button
        type="button"
        variant="secondary"
        size="sm"
        icon="plus"
        data-testid={selectors.query.filterAdd}
        onClick={() => change([...rows, newFilter])}
      >
        <Trans i18nKey="editor.filter.add">Add filter</Trans>
      </Button>
    </Stack>
  );
}

interface FilterRowProps extends Omit<ControlProps, 'query' | 'onChange'> {
  filter: Filter;
  index: number;
  onChange: (filter: Filter) => void;
  onRemove: () => void;
}

/** One filter: field, operator, value. */
function FilterRow({ filter, index, onChange, onRemove, ...control }: FilterRowProps) {
  const { options, chosen } = fieldChoices(control, namedFields(control.dataSet), control.seenFields);
  return (
    <Stack gap={1} alignItems="flex-end" wrap="wrap">
      <Select
        label={t('editor.filter.field', 'Field')}
        testId={selectors.query.filterField(index)}
        width={23}
        options={options}
        value={filter.key ? chosen(filter.key) : null}
        onChange={(key) => onChange(withKey(filter, key))}
      />
      <Select
        label={t('editor.filter.operator', 'Operator')}
        testId={selectors.query.filterOperator(index)}
        width={27}
        options={operatorOptions()}
        value={filter.operator}
        onChange={(operator) => onChange(withOperator(filter, operator))}
      />
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
  const words: Record<Operator, string> = {
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
  return operators.map((operator) => ({ value: operator, label: `${operator} ${words[operator]}` }));
}

interface FilterValueProps extends Pick<ControlProps, 'dataSet' | 'datasource' | 'days'> {
  filter: Filter;
  index: number;
  onChange: (filter: Filter) => void;
}

const comparesEqual: Operator[] = ['=', '!=', '=|', '!=|'];

/**
 * The value of a filter: an existing value, a variable, or any text. Text that is the beginning of a suggestion selects that
 * suggestion; as it is, it would match no row. A field whose values are all known accepts no other text.
 */
export function FilterValue({ filter, index, dataSet, datasource, days, onChange }: FilterValueProps) {
  const { key, operator, value, values = [] } = filter;
  const field = dataSet.fields.find(({ name }) => name === key);
  const isText = field?.type === 'string';
  const knowsNoValue = comparesEqual.includes(operator);
  // datasets.json gives colors only to fields whose values are all known.
  const known = knowsNoValue ? field?.colors : undefined;
  const load = useCallback(
    async (typed: string) => {
      const variables = variableOptions(datasource.variableNames()).filter((option) => option.value.includes(typed));
      const request = { days, search: typed || undefined };
      // A list of existing numbers or times would not help.
      const suggested = isText ? await suggestionOptions(fetchSuggestions(datasource, dataSet, key, request)) : [];
      return [
        ...(typed || !knowsNoValue ? [] : [{ value: '', label: noValueLabel() }]),
        ...withKnown(suggested, Object.keys(known ?? {}), typed),
        ...variables,
      ];
    },
    [datasource, dataSet, key, isText, known, knowsNoValue, days]
  );
  const isList = known !== undefined;
  const complete = async (typed: string) =>
    beginningWith(await load(typed), typed) ?? (isList && !isVariable(typed) ? undefined : typed);
  const completion = knowsNoValue ? complete : undefined;
  const setValues = (changed: string[]) => onChange({ key, operator, values: [...new Set(changed)] });
  const testId = selectors.query.filterValue(index);
  return (
    <Labeled label={t('editor.filter.value', 'Value')}>
      {({ id, labelId }) =>
        isMultiValue(operator) ? (
          <FreeText complete={completion} onText={(text) => setValues([...values, text])}>
            <MultiCombobox
              id={id}
              aria-labelledby={labelId}
              data-testid={testId}
              width="auto"
              minWidth={30}
              maxWidth={80}
              isClearable
              createCustomValue={!isList}
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
            complete={completion}
            isList={isList}
            onChange={(changed) => onChange({ key, operator, value: changed })}
          />
        )
      }
    </Labeled>
  );
}

/** Adds to the suggestions the known values of a field that no row has at the moment. */
function withKnown(suggested: ComboboxOption[], known: string[], typed: string): ComboboxOption[] {
  const matching = known.filter((value) => value.toLowerCase().includes(typed.toLowerCase()));
  return [
    ...matching.map((value) => ({ value, label: value })),
    ...suggested.filter(({ value }) => !matching.includes(value)),
  ];
}

/** The option that equals the typed text, or else the first one that begins with it. */
function beginningWith(options: ComboboxOption[], typed: string): string | undefined {
  const values = options.filter(({ infoOption, value }) => !infoOption && value !== '');
  const begins = (text: string | undefined) => text?.toLowerCase().startsWith(typed.toLowerCase());
  const found =
    values.find(({ value }) => value === typed) ??
    values.find(({ value, description }) => begins(value) || begins(description));
  return found?.value;
}

/** Label of the empty text, which matches rows without a value. */
function noValueLabel(): string {
  return t('editor.filter.no-value', '(no value)');
}

/** Whether an operator compares with several values. */
export function isMultiValue(operator: Operator): boolean {
  return operator === '=|' || operator === '!=|';
}

/** A filter that was just added. It becomes part of the query when it has a field and a value. */
export const newFilter: Filter = { key: '', operator: '=' };

export function isComplete({ key, operator, value, values }: Filter): boolean {
  return key !== '' && (isMultiValue(operator) ? Boolean(values?.length) : value !== undefined);
}

/** Changes the field and drops the value, which belongs to the previous field. */
export function withKey({ operator }: Filter, key: string): Filter {
  return { key, operator };
}

/** Changes the operator and keeps as many values as it takes. */
export function withOperator({ key, value, values }: Filter, operator: Operator): Filter {
  const all = values ?? (value === undefined ? [] : [value]);
  if (all.length === 0) {
    return { key, operator };
  }
  return isMultiValue(operator) ? { key, operator, values: all } : { key, operator, value: all[0] };
}
