import React from 'react';

import { Combobox, type ComboboxOption } from '@grafana/ui';

import { FreeText } from './FreeText';

interface Props {
  id: string;
  value: string | undefined;
  placeholder?: string;
  testId: string;
  width?: number;
  /** Shown for the empty text, where that is a value of its own. */
  emptyLabel?: string;
  /** Suggestions for what was typed. */
  load: (typed: string) => Promise<ComboboxOption[]>;
  onChange: (value: string | undefined) => void;
}

/** Free text with suggestions. */
export function SuggestInput({ id, value, placeholder, testId, width = 30, emptyLabel, load, onChange }: Props) {
  return (
    <FreeText onText={(text) => text !== value && onChange(text)}>
      <Combobox
        id={id}
        data-testid={testId}
        width={width}
        isClearable
        createCustomValue
        placeholder={placeholder}
        options={load}
        value={value === '' ? { value, label: emptyLabel } : (value ?? null)}
        onChange={(option) => onChange(option?.value)}
      />
    </FreeText>
  );
}
