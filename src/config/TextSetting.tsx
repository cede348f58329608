import React, { useId } from 'react';

import { Field, Input } from '@grafana/ui';

interface Props {
  label: string;
  description?: string;
  value: string | undefined;
  placeholder?: string;
  problem?: string;
  required?: boolean;
  disabled?: boolean;
  testId: string;
  onChange: (value: string) => void;
}

/** A setting that is one line of text. */
export function TextSetting({
  label,
  description,
  value,
  problem,
  required,
  disabled,
  testId,
  onChange,
  ...rest
}: Props) {
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
        width={60}
        data-testid={testId}
        value={value ?? ''}
        required={required}
        disabled={disabled}
        placeholder={rest.placeholder}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}
