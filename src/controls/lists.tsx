import { isEqual } from 'lodash';
import React, { useCallback, useMemo, useState } from 'react';

import { Combobox, type ComboboxOption, MultiCombobox } from '@grafana/ui';

import { Labeled, type LabeledProps } from './Labeled';
import { OnPurpose } from './OnPurpose';

/** The same object for as long as it is equal: for another one, a combobox drops what is being typed. */
function useStable<T>(value: T): T {
  const [stable, setStable] = useState(value);
  if (!isEqual(stable, value)) {
    setStable(value);
  }
  return stable;
}

interface ListProps extends LabeledProps {
  testId: string;
  placeholder?: string;
}

interface SelectProps extends ListProps {
  width: number;
  autoFocus?: boolean;
  options: ComboboxOption[];
  /** As saved: one that is none of the options is shown as it is. */
  value: string | undefined;
  isClearable?: boolean;
  /** The value is undefined when it was cleared. */
  onChange: (value: string | undefined) => void;
}

/** One of several values. */
export function Select(props: SelectProps) {
  const { label, description, problem, testId, options, value, isClearable = false, onChange, ...rest } = props;
  const stable = useStable(options);
  const change = (option: ComboboxOption | null | undefined) => {
    // Grafana's combobox passes undefined, which is no choice, if there is no option where it highlights one.
    if (option) {
      option.value !== value && onChange(option.value);
    } else if (option === null && isClearable) {
      onChange(undefined);
    }
  };
  return (
    <Labeled label={label} description={description} problem={problem}>
      {({ id, validity: { invalid } }) => (
        <OnPurpose>
          <Combobox
            {...rest}
            id={id}
            data-testid={testId}
            invalid={invalid}
            options={stable}
            value={value || null}
            isClearable={isClearable}
            onChange={change}
          />
        </OnPurpose>
      )}
    </Labeled>
  );
}

const sizes = { width: 'auto', minWidth: 25, maxWidth: 80 } as const;

interface MultiSelectProps extends ListProps {
  options: ComboboxOption[];
  value: string[] | undefined;
  onChange: (values: string[]) => void;
}

/** Several values, in the order in which they are selected. */
export function MultiSelect({ label, problem, testId, options, value = [], onChange, ...rest }: MultiSelectProps) {
  const stable = useStable(options);
  return (
    <Labeled label={label} problem={problem}>
      {({ id, labelId, validity: { invalid } }) => (
        <OnPurpose several>
          <MultiCombobox
            {...rest}
            {...sizes}
            id={id}
            aria-labelledby={labelId}
            data-testid={testId}
            invalid={invalid}
            isClearable
            options={stable}
            value={value}
            onChange={(selected) => onChange(selected.map((option) => option.value))}
          />
        </OnPurpose>
      )}
    </Labeled>
  );
}

interface SuggestProps extends ListProps {
  /** Label of the empty text, where it is a value. */
  emptyLabel?: string;
  /** Suggestions for what was typed, or for nothing. */
  load: (typed: string) => Promise<ComboboxOption[]>;
}

/** Suggestions without Grafana's message in the console if they can't be read: the list says so. */
function useSuggestions(load: SuggestProps['load'], saved?: string) {
  return useCallback(
    (typed: string) => load(typed === saved ? '' : typed).catch(() => Promise.reject()),
    [load, saved]
  );
}

interface SuggestInputProps extends SuggestProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** Free text with suggestions. It is saved as it was typed. */
export function SuggestInput(props: SuggestInputProps) {
  const { label, testId, placeholder, emptyLabel, load, value, onChange } = props;
  const options = useSuggestions(load, value);
  const selected = useMemo(
    () => (value === undefined ? null : { value, label: value === '' ? emptyLabel : value }),
    [value, emptyLabel]
  );
  const change = (changed: string | undefined) => changed !== value && onChange(changed);
  return (
    <Labeled label={label}>
      {({ id }) => (
        <OnPurpose onText={(text) => text !== emptyLabel && change(text)}>
          <Combobox
            id={id}
            data-testid={testId}
            width={30}
            isClearable
            createCustomValue
            placeholder={placeholder}
            options={options}
            value={selected}
            onChange={(option) => option !== undefined && change(option?.value)}
          />
        </OnPurpose>
      )}
    </Labeled>
  );
}

interface SuggestInputsProps extends SuggestProps {
  value: string[];
  onChange: (values: string[]) => void;
}

/** {@link SuggestInput} for several texts. */
export function SuggestInputs(props: SuggestInputsProps) {
  const { label, testId, placeholder, emptyLabel, load, value, onChange } = props;
  const options = useSuggestions(load);
  return (
    <Labeled label={label}>
      {({ id, labelId }) => (
        <OnPurpose several onText={(text) => value.includes(text) || onChange([...value, text])}>
          <MultiCombobox
            {...sizes}
            id={id}
            aria-labelledby={labelId}
            data-testid={testId}
            isClearable
            createCustomValue
            placeholder={placeholder}
            options={options}
            value={value.map((text) => ({ value: text, label: text || emptyLabel }))}
            onChange={(selected) => onChange(selected.map((option) => option.value))}
          />
        </OnPurpose>
      )}
    </Labeled>
  );
}
