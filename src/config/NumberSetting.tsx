import React, { useState } from 'react';

import { type Bounds, readWholeNumber } from '../wholeNumber';
import { TextSetting } from './TextSetting';

interface Props {
  label: string;
  description?: string;
  value: number | undefined;
  /** Shown while the setting is absent. */
  fallback: number;
  bounds: Bounds;
  disabled?: boolean;
  testId: string;
  onChange: (value: number | undefined) => void;
}

/** A setting that is a whole number. A text that is none stays in the field, with the reason, and is not saved. */
export function NumberSetting({ value, fallback, bounds, onChange, ...rest }: Props) {
  const [rejected, setRejected] = useState<{ text: string; problem: string }>();
  return (
    <TextSetting
      {...rest}
      value={rejected?.text ?? value?.toString()}
      placeholder={fallback.toString()}
      problem={rejected?.problem}
      onChange={(text) => {
        const { value: read, problem } = readWholeNumber(text, bounds);
        setRejected(problem ? { text, problem } : undefined);
        if (!problem) {
          onChange(read);
        }
      }}
    />
  );
}
