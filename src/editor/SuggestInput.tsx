import React from 'react';

import { Combobox, type ComboboxOption } from '@grafana/ui';

import { FreeText } from './FreeText';

interface Props {
  id: string;
  value: string | undefined;
  placeholder?: string;
  testId: string;
  width?: number;
  /** Suggestions for what was typed. */
  load: (typed: string) => Promise<ComboboxOption[]>;
  onChange: (value: string | undefined) => void;
}

/** Free text with suggestions. */
export function SuggestInput({ id, value, placeholder, testId, width = 30, load, onChange }: Props) {
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
        value={value ?? null}
        onChange={(option) => onChange(option?.value)}
      />
    </FreeText>
  );
}
