import React, { useState } from 'react';

import { Input } from '@grafana/ui';

import { type Bounds, readWholeNumber } from '../wholeNumber';
import { Labeled } from './Labeled';

interface Props {
  label: string;
  value: number | undefined;
  placeholder: string;
  bounds: Bounds;
  testId: string;
  onChange: (value: number | undefined) => void;
}

/** What was typed and not saved yet, and over which saved value. */
interface Edit {
  saved: string;
  text: string;
  problem?: string;
}

/** A whole number or nothing. A text that is neither stays where it was typed, with the reason, and does not run. */
export function NumberInput({ label, value, placeholder, bounds, testId, onChange }: Props) {
  const saved = value?.toString() ?? '';
  const [edit, setEdit] = useState<Edit>();
  // A value that comes from elsewhere, such as a preset, wins over what was typed here before.
  const { text, problem } = edit?.saved === saved ? edit : { text: saved, problem: undefined };

  const commit = () => {
    const read = readWholeNumber(text, bounds);
    setEdit(read.problem ? { saved, text, problem: read.problem } : undefined);
    if (!read.problem && read.value !== value) {
      onChange(read.value);
    }
  };

  return (
    <Labeled label={label} problem={problem}>
      {({ id }) => (
        <Input
          id={id}
          data-testid={testId}
          width={20}
          inputMode="numeric"
          invalid={Boolean(problem)}
          value={text}
          placeholder={placeholder}
          onChange={(event) => setEdit({ saved, text: event.currentTarget.value })}
          onBlur={commit}
          onKeyDown={(event) => event.key === 'Enter' && commit()}
        />
      )}
    </Labeled>
  );
}
