import { isEqual, uniq } from 'lodash';
import React, { type ClipboardEvent, useCallback, useMemo, useState } from 'react';

import { fuzzySearch } from '@grafana/data';
import { Combobox, type ComboboxOption, MultiCombobox } from '@grafana/ui';

import { partsOf } from '../query/shown';
import { Labeled, type LabeledProps } from './Labeled';
import { OnPurpose } from './OnPurpose';

/** Suggestions for what was typed, or for nothing. */
export type Load = (typed: string) => Promise<ComboboxOption[]>;

interface ListProps<T> extends LabeledProps {
  testId: string;
  placeholder?: string;
  options?: ComboboxOption[];
  /** Makes the list one of suggestions: any text is saved as it was typed. */
  load?: Load;
  /** Label of the empty text, where it is a value. */
  emptyLabel?: string;
  value: T | undefined;
}

type Offer = { options: ComboboxOption[]; load?: Load };

/** The same object for as long as it is equal: for another one, a combobox drops what is being typed. */
function useStable<T>(value: T): T {
  const [stable, setStable] = useState(value);
  if (!isEqual(stable, value)) {
    setStable(value);
  }
  return stable;
}

/** A list says that suggestions can't be read: Grafana's message in the console is left out. */
function useOptions({ options, load }: Offer, saved?: string) {
  const stable = useStable(options);
  const suggest = useCallback(
    (typed: string) => load?.(typed === saved ? '' : typed).catch(() => Promise.reject()) ?? Promise.resolve([]),
    [load, saved]
  );
  return load ? suggest : stable;
}

/** Takes what a typed text means: itself or, of a closed list, the option that a combobox lists first for it, if any. */
function typing({ options, load }: Offer, take: (value: string) => void) {
  const onText = (typed: string) => {
    const labels = () => options.map(({ label, value }) => label ?? value);
    const value = load ? typed : options[fuzzySearch(labels(), typed)[0]]?.value;
    if (value !== undefined) {
      take(value);
    }
  };
  return { isFree: Boolean(load), onText };
}

/** The cells of a pasted part of a spreadsheet. An input would make one text of them. */
const cellsIn = (text: string) => partsOf(text, /[\r\n\t]/);

/** What is pasted as several values, if that is what it means: semicolons separate, unless a value has one. */
async function severalIn(text: string, { options, load }: Offer): Promise<string[]> {
  const cells = cellsIn(text);
  if (!load) {
    const isCalled = (name: string, option: ComboboxOption) =>
      [option.value, option.label].some((each) => each?.toLowerCase() === name.toLowerCase());
    return partsOf(text, /[\r\n\t;]/).flatMap((name) => options.find((option) => isCalled(name, option))?.value ?? []);
  }
  const isValue = cells.length < 2 && (await load(text).catch(() => [])).some(({ value }) => value.includes(';'));
  return cells.length < 2 && !isValue ? partsOf(text, /;/) : cells;
}

interface SelectProps extends ListProps<string> {
  width: number;
  autoFocus?: boolean;
  isClearable?: boolean;
  onChange: (value: string | undefined) => void;
  /** Takes several cells that are pasted; absent: the input makes one text of them. */
  onSeveral?: (values: string[]) => void;
}

/** One value. As saved: one that is none of the options is shown as it is. */
export function Select(props: SelectProps) {
  const { label, description, problem, testId, options = [], emptyLabel, onChange, onSeveral, ...shown } = props;
  const { load, value, isClearable = Boolean(load), ...rest } = shown;
  const offered = useOptions({ options, load }, value);
  const text = useMemo(() => value !== undefined && { value, label: value || emptyLabel }, [value, emptyLabel]);
  const change = (changed: string | undefined) => changed !== value && onChange(changed);
  const paste = (event: ClipboardEvent) => {
    const cells = cellsIn(event.clipboardData.getData('text'));
    if (onSeveral && cells.length > 1) {
      event.preventDefault();
      onSeveral(cells);
    }
  };
  return (
    <Labeled label={label} description={description} problem={problem}>
      {({ id, invalid }) => (
        <OnPurpose onPaste={paste} {...typing({ options, load }, (typed) => typed !== emptyLabel && change(typed))}>
          <Combobox
            {...rest}
            id={id}
            data-testid={testId}
            invalid={invalid}
            createCustomValue={Boolean(load)}
            options={offered}
            value={(load ? text : value) || null}
            isClearable={isClearable}
            // Grafana's combobox passes undefined, which is no choice, if there is no option where it highlights one.
            onChange={(option: ComboboxOption | null | undefined) =>
              (option || (option === null && isClearable)) && change(option?.value)
            }
          />
        </OnPurpose>
      )}
    </Labeled>
  );
}

interface MultiSelectProps extends ListProps<string[]> {
  onChange: (values: string[]) => void;
}

/** Several values, in the order in which they are selected. */
export function MultiSelect(props: MultiSelectProps) {
  const { label, problem, testId, options = [], emptyLabel, onChange, load, value = [], placeholder } = props;
  const offered = useOptions({ options, load });
  const paste = async (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    if (partsOf(text, /[\r\n\t;]/).length > 1) {
      event.preventDefault();
      onChange(uniq([...value, ...(await severalIn(text, { options, load }))]));
    }
  };
  return (
    <Labeled label={label} problem={problem}>
      {({ id, labelId, invalid }) => (
        <OnPurpose
          several
          onPaste={paste}
          {...typing({ options, load }, (typed) => value.includes(typed) || onChange([...value, typed]))}
        >
          <MultiCombobox
            id={id}
            aria-labelledby={labelId}
            data-testid={testId}
            placeholder={placeholder}
            width="auto"
            minWidth={25}
            maxWidth={80}
            invalid={invalid}
            isClearable
            createCustomValue={Boolean(load)}
            options={offered}
            value={load ? value.map((text) => ({ value: text, label: text || emptyLabel })) : value}
            onChange={(selected) => onChange(selected.map((option) => option.value))}
          />
        </OnPurpose>
      )}
    </Labeled>
  );
}
