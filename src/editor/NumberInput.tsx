import React, { useEffect, useState } from 'react';

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

/** A whole number or nothing. A text that is neither stays where it was typed, with the reason, and does not run. */
export function NumberInput({ label, value, placeholder, bounds, testId, onChange }: Props) {
  const saved = value?.toString() ?? '';
  const [draft, setDraft] = useState(saved);
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    setDraft(saved);
    setProblem(undefined);
  }, [saved]);

  const commit = () => {
    const read = readWholeNumber(draft, bounds);
    setProblem(read.problem);
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
          value={draft}
          placeholder={placeholder}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => event.key === 'Enter' && commit()}
        />
      )}
    </Labeled>
  );
}
