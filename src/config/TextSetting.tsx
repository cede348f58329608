import React, { useId } from 'react';

import { Field, Input } from '@grafana/ui';

interface Props {
  label: string;
  description?: string;
  value: string | undefined;
  placeholder?: string;
  width?: number;
  problem?: string;
  required?: boolean;
  disabled?: boolean;
  testId: string;
  onChange: (value: string) => void;
}

/** A setting that is one line of text. */
export function TextSetting(props: Props) {
  const { label, description, value, placeholder, width = 60, problem, required, disabled, testId, onChange } = props;
  const id = useId();
  return (
    <Field
      label={label}
      description={description}
      invalid={Boolean(problem)}
      error={problem}
      required={required}
      htmlFor={id}
    >
      <Input
        id={id}
        width={width}
        data-testid={testId}
        value={value ?? ''}
        required={required}
        disabled={disabled}
        placeholder={placeholder}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}
