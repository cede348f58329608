import React, { useState } from 'react';

import { Input } from '@grafana/ui';

import { type Bounds, readWholeNumber } from '../query/numbers';
import { Labeled, type LabeledProps } from './Labeled';

interface DraftInputProps extends LabeledProps {
  value: string | undefined;
  placeholder?: string;
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

/** An input that saves what was typed on blur and on Enter. Wrong text stays in it with the reason, and is not saved. */
function DraftInput({ label, description, value = '', testId, save, ...rest }: DraftInputProps) {
  const [draft, setDraft] = useState<Draft>();
  // A value that is set from outside, for example by a preset, replaces unsaved text, which never comes back.
  if (draft && draft.saved !== value) {
    setDraft(undefined);
  }
  const typed = draft?.saved === value ? draft : undefined;
  const commit = () => {
    const problem = typed && save(typed.text.trim());
    setDraft(typed && problem ? { ...typed, problem } : undefined);
  };
  return (
    <Labeled label={label} description={description} problem={typed?.problem}>
      {({ id, invalid }) => (
        <Input
          {...rest}
          id={id}
          invalid={invalid}
          data-testid={testId}
          value={typed?.text ?? value}
          onChange={(event) => setDraft({ saved: value, text: event.currentTarget.value })}
          onBlur={commit}
          // Enter may only confirm what an input method composes.
          onKeyDown={({ key, nativeEvent }) => key === 'Enter' && !nativeEvent.isComposing && commit()}
        />
      )}
    </Labeled>
  );
}

interface InputProps<T, Changed = T> extends Omit<DraftInputProps, 'value' | 'width' | 'save' | 'inputMode'> {
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
