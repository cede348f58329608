import { isEqual, uniq, uniqueId } from 'lodash';
import React, { type Ref, useCallback, useEffect, useState } from 'react';

import { t, Trans } from '@grafana/i18n';
import { Box, type ComboboxOption, Stack } from '@grafana/ui';

import { namedFields } from '../../schema/datasets';
import { type Load, MultiSelect, Select } from '../controls/lists';
import { AddButton, RowButton, useRowButtons } from '../controls/rows';
import {
  type Filter,
  isMultiValue,
  isVariable,
  type Operator,
  operandsOf,
  operators,
  withOperands,
} from '../query/query';
import { shownFilter } from '../query/shown';
import { selectors } from '../selectors';
import { knownValues, suggestOptions } from '../source/suggestions';
import { type ControlProps, fieldOptions, variableOptions } from './control';

/** A filter with an identity: its controls keep their state when the filter above it is removed. */
interface Row {
  id: string;
  filter: Filter;
  /** As it is saved, with its own types; undefined if it was not complete yet. */
  saved?: Filter;
}

const rowsOf = (filters: Filter[]): Row[] =>
  filters.map((saved) => ({ id: uniqueId(), filter: shownFilter(saved), saved }));
const filtersOf = (rows: Row[]) => rows.flatMap(({ saved }) => (saved === undefined ? [] : [saved]));

/**
 * The filters of a query. An incomplete filter is not saved, because an alert rule would fail on it, and a query without it
 * would find what it leaves out: the query keeps the row's last complete one.
 */
export function Filters({ query, onChange, ...control }: ControlProps) {
  const saved = query.filters ?? [];
  const [{ rows, known }, setState] = useState({ rows: rowsOf(saved), known: saved });
  // Filters that are set from outside, for example by a preset, replace the rows.
  if (!isEqual(saved, known)) {
    setState({ rows: isEqual(filtersOf(rows), saved) ? rows : rowsOf(saved), known: saved });
  }
  const buttons = useRowButtons();

  const change = (changed: Row[]) => setState({ rows: changed, known });
  const replace = (row: Row) => change(rows.map((each) => (each.id === row.id ? row : each)));
  // Once the rows are drawn: Explore draws what is saved at once, and filters of no row would replace all of them.
  useEffect(() => {
    const filters = filtersOf(rows);
    if (!isEqual(filters, saved)) {
      onChange({ filters });
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only the rows change it
  }, [rows]);

  return (
    <Stack direction="column" gap={1} alignItems="flex-start">
      {rows.map(({ id, filter, saved: own }, index) => (
        <FilterRow
          key={id}
          {...control}
          filter={filter}
          index={index}
          isSaved={own !== undefined && isEqual(shownFilter(own), filter)}
          isAdded={filter === newFilter}
          buttonRef={buttons.ref(index)}
          onChange={(changed) => replace({ id, filter: changed, saved: isComplete(changed) ? changed : own })}
          onRemove={() => buttons.change(index, () => change(rows.filter((row) => row.id !== id)))}
        />
      ))}
      <AddButton
        buttonRef={buttons.ref(rows.length)}
        size="sm"
        testId={selectors.query.filterAdd}
        onClick={() => change([...rows, { id: uniqueId(), filter: newFilter }])}
      >
        <Trans i18nKey="editor.filter.add">Add filter</Trans>
      </AddButton>
    </Stack>
  );
}

interface FilterRowProps extends Omit<ControlProps, 'query' | 'onChange'> {
  filter: Filter;
  index: number;
  isSaved: boolean;
  isAdded: boolean;
  buttonRef: Ref<HTMLButtonElement>;
  onChange: (filter: Filter) => void;
  onRemove: () => void;
}

function FilterRow({ filter, index, isSaved, isAdded, buttonRef, onChange, onRemove, ...control }: FilterRowProps) {
  const problem =
    filter.key && !isSaved && !isComplete(filter)
      ? t('editor.filter.incomplete', 'Enter a value: the query does not have this filter yet')
      : undefined;
  const name = t('editor.filter.name', 'Filter {{index}}', { index: index + 1 });
  return (
    <Stack gap={1} alignItems="flex-start" wrap="wrap" role="group" aria-label={name}>
      <Select
        label={t('editor.filter.field', 'Field')}
        testId={selectors.query.filterField(index)}
        width={26}
        autoFocus={isAdded}
        options={fieldOptions(control)}
        value={filter.key}
        onChange={(key = '') => onChange(withKey(filter, key))}
      />
      <Select
        label={t('editor.filter.operator', 'Operator')}
        testId={selectors.query.filterOperator(index)}
        width={27}
        options={[...operatorOptions(), ...variableOptions(control)]}
        value={filter.operator}
        onChange={(operator) => onChange(withOperator(filter, operator as Operator))}
      />
      <FilterValue filter={filter} index={index} problem={problem} onChange={onChange} {...control} />
      {/* Below the labels of the controls beside it. */}
      <Box marginTop={2.5}>
        <RowButton
          icon="trash-alt"
          buttonRef={buttonRef}
          label={t('editor.filter.remove', 'Remove filter {{index}}', { index: index + 1 })}
          testId={selectors.query.filterRemove(index)}
          onClick={onRemove}
        />
      </Box>
    </Stack>
  );
}

function operatorOptions(): ComboboxOption[] {
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
  problem?: string;
  onChange: (filter: Filter) => void;
}

const comparesEqual: Operator[] = ['=', '!=', '=|', '!=|'];

/**
 * The value of a filter: an existing value, a variable, or any text, which is saved as it was typed. Only where all values
 * of a field are known, the beginning of one of them stands for it.
 */
export function FilterValue({ filter, index, problem, dataSet, datasource, days, onChange }: FilterValueProps) {
  const { key, operator, value, values = [] } = filter;
  const field = namedFields(dataSet).find(({ name }) => name === key);
  const knowsNoValue = comparesEqual.includes(operator);
  const known = field && knowsNoValue ? knownValues(field) : [];
  const load: Load = useCallback(
    async (typed) => {
      const variables = variableOptions({ datasource }).filter((option) => option.value.includes(typed));
      // A list of existing numbers or times would not help.
      const isText = field?.type === 'string';
      const request = { days, search: typed || undefined };
      const suggested = isText ? await suggestOptions(datasource, dataSet, key, request) : [];
      return [
        ...(typed || !knowsNoValue ? [] : [{ value: '', label: noValueLabel() }]),
        ...withKnown(suggested, field && knowsNoValue ? knownValues(field) : [], typed),
        ...variables,
      ];
    },
    [datasource, dataSet, key, field, knowsNoValue, days]
  );
  const completedIn = (texts: string[]) =>
    uniq(texts.map((text) => (values.includes(text) ? text : completed(text, known))));
  const common = {
    label: t('editor.filter.value', 'Value'),
    problem,
    testId: selectors.query.filterValue(index),
    emptyLabel: noValueLabel(),
    load,
  };
  if (isMultiValue(operator) || filter.values) {
    const setValues = (changed: string[]) => onChange({ key, operator, values: completedIn(changed) });
    return <MultiSelect {...common} value={values} onChange={setValues} />;
  }
  return (
    <Select
      {...common}
      width={30}
      value={value}
      onChange={(changed) => onChange({ key, operator, value: changed && completed(changed, known) })}
      onSeveral={knowsNoValue ? (cells) => onChange(withOperands({ key, operator }, completedIn(cells))) : undefined}
    />
  );
}

function withKnown(suggested: ComboboxOption[], known: string[], typed: string): ComboboxOption[] {
  const matching = known.filter((value) => value.toLowerCase().includes(typed.toLowerCase()));
  return [
    ...matching.map((value) => ({ value, label: value })),
    ...suggested.filter(({ value }) => !matching.includes(value)),
  ];
}

function completed(text: string, known: string[]): string {
  const found = known.filter((value) => value.toLowerCase().startsWith(text.toLowerCase()));
  return found.length === 1 ? found[0] : text;
}

const noValueLabel = (): string => t('editor.filter.no-value', '(no value)');

/** A filter that was just added. It becomes part of the query when it has a field and a value. */
export const newFilter: Filter = { key: '', operator: '=' };

export function isComplete({ key, operator, value, values }: Filter): boolean {
  const takesSeveral = isMultiValue(operator) || (isVariable(operator) && value === undefined);
  return key !== '' && (takesSeveral ? Boolean(values?.length) : value !== undefined);
}

/** Changes the field and drops the value, which belongs to the previous field, if there was one. */
export function withKey(filter: Filter, key: string): Filter {
  return filter.key ? { key, operator: filter.operator } : { ...filter, key };
}

/** Changes the operator and keeps as many values as it takes. */
export function withOperator({ key, value, values }: Filter, operator: Operator): Filter {
  const takesSeveral = isMultiValue(operator) || isVariable(operator);
  return withOperands({ key, operator }, operandsOf({ value, values }).slice(0, takesSeveral ? undefined : 1));
}
