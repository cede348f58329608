import React, { type PropsWithChildren, type ReactElement, useId, useState } from 'react';

import { t } from '@grafana/i18n';
import { Combobox, type ComboboxOption, Field, Input, Label, MultiCombobox, RadioButtonGroup } from '@grafana/ui';

import { type Part } from '../fit';
import { defaultFormat, type Format, showsMeasure } from '../query';
import { narrow } from '../narrow';
import { selectors } from '../selectors';
import { type Bounds, readWholeNumber } from '../wholeNumber';
import { type ControlProps } from './control';

/** Labels of the controls, by which other texts name the parts of a query. */
export function partLabels(format: Format = defaultFormat): Record<Part, string> {
  const rows = t('editor.limit.rows', 'Rows');
  const limits: Partial<Record<Format, string>> = {
    numeric: t('editor.limit.groups', 'Groups'),
    timeseries: t('editor.limit.series', 'Series'),
    timeline: t('editor.limit.lanes', 'Max lanes'),
  };
  return {
    queryType: t('editor.data-set.label', 'Data set'),
    format: t('editor.format.label', 'Show as'),
    columns: t('editor.columns.label', 'Columns'),
    measure: t('editor.measure.label', 'Measure'),
    groupBy: format === 'timeline' ? t('editor.lanes.label', 'Lanes') : t('editor.group-by.label', 'Group by'),
    state: t('editor.bars.label', 'Bars'),
    per: t('editor.per.label', 'One point per'),
    filters: t('editor.filter.label', 'Filters'),
    days: t('editor.days.label', 'Last days'),
    search: t('editor.search.label', 'Search'),
    sort: t('editor.sort.label', 'Sort by'),
    limit: limits[format] ?? rows,
    attention: t('editor.attention.label', 'Thresholds'),
    timeField: t('editor.time-field.label', 'Time field'),
    compare: t('editor.compare.label', 'Compare with'),
  };
}

interface LabeledProps {
  label: string;
  description?: string;
  problem?: string;
  /** The control is a group, which a label can't refer to. */
  isGroup?: boolean;
  /** Renders the control. Some Grafana controls are labeled by their id, others only by the id of their label. */
  children: (ids: { id: string; labelId: string }) => ReactElement;
}

/** A control of the query editor with its label and, for an invalid value, the reason. */
export function Labeled({ label, description, problem, isGroup, children }: LabeledProps) {
  const id = useId();
  const labelId = `${id}-label`;
  return (
    <Field
      noMargin
      className={narrow}
      invalid={Boolean(problem)}
      error={problem}
      label={
        <Label id={labelId} htmlFor={isGroup ? undefined : id} description={description}>
          {label}
        </Label>
      }
    >
      <Content>{children({ id, labelId })}</Content>
    </Field>
  );
}

/** Drops the props that Field passes to its child, which only Grafana's own controls understand. */
function Content({ children }: PropsWithChildren) {
  return <>{children}</>;
}

interface SelectProps<T extends string> {
  label: string;
  description?: string;
  testId: string;
  width: number;
  options: Array<ComboboxOption<T>> | ((typed: string) => Promise<Array<ComboboxOption<T>>>);
  value: T | ComboboxOption<T> | null;
  onChange: (value: T) => void;
}

/** One of several values. */
export function Select<T extends string>({ label, description, testId, onChange, ...rest }: SelectProps<T>) {
  return (
    <Labeled label={label} description={description}>
      {({ id }) => <Combobox id={id} data-testid={testId} {...rest} onChange={({ value }) => onChange(value)} />}
    </Labeled>
  );
}

interface ClearableSelectProps extends Omit<SelectProps<string>, 'onChange'> {
  placeholder: string;
  onChange: (value: string | undefined) => void;
}

/** One of several values, or none. */
export function ClearableSelect({ label, testId, onChange, ...rest }: ClearableSelectProps) {
  return (
    <Labeled label={label}>
      {({ id }) => (
        <Combobox id={id} data-testid={testId} {...rest} isClearable onChange={(option) => onChange(option?.value)} />
      )}
    </Labeled>
  );
}

interface MultiSelectProps extends Pick<SelectProps<string>, 'label' | 'testId' | 'options'> {
  placeholder?: string;
  createCustomValue?: boolean;
  value: ComboboxOption[];
  onChange: (values: string[]) => void;
}

/** Several values, in the order in which they are selected. */
export function MultiSelect({ label, testId, onChange, ...rest }: MultiSelectProps) {
  return (
    <Labeled label={label}>
      {({ id, labelId }) => (
        <MultiCombobox
          id={id}
          aria-labelledby={labelId}
          data-testid={testId}
          width="auto"
          minWidth={25}
          maxWidth={80}
          isClearable
          {...rest}
          onChange={(selected) => onChange(selected.map(({ value }) => value))}
        />
      )}
    </Labeled>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  testId: string;
  options: Array<{ value: T; label: string }>;
  value: T | undefined;
  onChange: (value: T) => void;
}

/** One of a few values, all of which are visible. */
export function Choice<T extends string>({ label, testId, ...rest }: ChoiceProps<T>) {
  return (
    <Labeled label={label} isGroup>
      {({ id }) => (
        <div data-testid={testId}>
          <RadioButtonGroup id={id} aria-label={label} {...rest} />
        </div>
      )}
    </Labeled>
  );
}

interface DraftInputProps {
  label: string;
  description?: string;
  value: string | undefined;
  placeholder: string;
  width: number;
  inputMode?: 'numeric';
  testId: string;
  /** Saves a text, or returns what is wrong with it. */
  save: (text: string) => string | undefined;
}

/** Unsaved text, and the saved value that it was typed over. */
interface Draft {
  saved: string;
  text: string;
  problem?: string;
}

/** An input that saves on blur and on Enter. Wrong text stays in it with the reason, and is not saved. */
function DraftInput({ label, description, value = '', testId, save, ...rest }: DraftInputProps) {
  const [draft, setDraft] = useState<Draft>();
  // A value that is set from outside, for example by a preset, replaces unsaved text.
  const { text, problem }: Partial<Draft> = draft?.saved === value ? draft : { text: value };
  const commit = () => {
    const wrong = save(text.trim());
    setDraft(wrong ? { saved: value, text, problem: wrong } : undefined);
  };
  return (
    <Labeled label={label} description={description} problem={problem}>
      {({ id }) => (
        <Input
          id={id}
          data-testid={testId}
          {...rest}
          invalid={Boolean(problem)}
          // Grafana 12 only colors the field.
          aria-invalid={Boolean(problem)}
          value={text}
          onChange={(event) => setDraft({ saved: value, text: event.currentTarget.value })}
          onBlur={commit}
          onKeyDown={(event) => event.key === 'Enter' && commit()}
        />
      )}
    </Labeled>
  );
}

interface InputProps<T, Changed = T> extends Pick<DraftInputProps, 'label' | 'description' | 'placeholder' | 'testId'> {
  value: T | undefined;
  onChange: (value: Changed) => void;
}

/** A text. */
export function TextInput({ onChange, ...rest }: InputProps<string>) {
  const save = (text: string) => {
    if (text !== (rest.value ?? '')) {
      onChange(text);
    }
    return undefined;
  };
  return <DraftInput {...rest} width={30} save={save} />;
}

interface NumberInputProps extends InputProps<number, number | undefined> {
  bounds: Bounds;
}

/** A whole number or nothing. */
export function NumberInput({ value, bounds, onChange, ...rest }: NumberInputProps) {
  const save = (text: string) => {
    const read = readWholeNumber(text, bounds);
    if (!read.problem && read.value !== value) {
      onChange(read.value);
    }
    return read.problem;
  };
  return <DraftInput {...rest} width={20} inputMode="numeric" value={value?.toString()} save={save} />;
}

interface DaysInputProps {
  days: number | undefined;
  placeholder?: string;
  testId?: string;
  onChange: (days: number | undefined) => void;
}

/** Number of days to look back; empty follows the time range. */
export function DaysInput({ days, placeholder, testId = selectors.query.days, onChange }: DaysInputProps) {
  return (
    <NumberInput
      label={partLabels().days}
      value={days}
      placeholder={placeholder ?? t('editor.days.placeholder', 'Use time range')}
      bounds={{ min: 1 }}
      testId={testId}
      onChange={onChange}
    />
  );
}

/** The most rows of a table, numbers, lines, or lanes. Without a sort, the largest numbers and lines are kept. */
export function LimitInput({ query, onChange }: ControlProps) {
  const largest = showsMeasure(query.format) && !query.sort;
  return (
    <NumberInput
      label={partLabels(query.format).limit}
      value={query.limit}
      placeholder={largest ? t('editor.limit.largest', 'All, or the largest N') : t('editor.limit.all', 'All')}
      bounds={{ min: 1 }}
      testId={selectors.query.limit}
      onChange={(limit) => onChange({ limit })}
    />
  );
}
