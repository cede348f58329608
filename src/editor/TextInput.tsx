import React, { useState } from 'react';

import { Input } from '@grafana/ui';

import { Labeled } from './Labeled';

interface Props {
  label: string;
  value: string | undefined;
  placeholder: string;
  testId: string;
  onChange: (value: string) => void;
}

/** A line of text, which counts when the user leaves it or presses Enter. */
export function TextInput({ label, value = '', placeholder, testId, onChange }: Props) {
  const [edit, setEdit] = useState<{ saved: string; text: string }>();
  // A value that comes from elsewhere wins over what was typed here before.
  const text = edit?.saved === value ? edit.text : value;
  const commit = () => {
    setEdit(undefined);
    if (text.trim() !== value) {
      onChange(text.trim());
    }
  };
  return (
    <Labeled label={label}>
      {({ id }) => (
        <Input
          id={id}
          data-testid={testId}
          width={30}
          value={text}
          placeholder={placeholder}
          onChange={(event) => setEdit({ saved: value, text: event.currentTarget.value })}
          onBlur={commit}
          onKeyDown={(event) => event.key === 'Enter' && commit()}
        />
      )}
    </Labeled>
  );
}
