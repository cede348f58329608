import React, { useId } from 'react';

import { Field, Switch } from '@grafana/ui';

interface Props {
  label: string;
  description?: string;
  value: boolean | undefined;
  disabled?: boolean;
  testId: string;
  onChange: (value: boolean) => void;
}

/** A setting that is on or off. */
export function BooleanSetting({ label, description, value = false, disabled, testId, onChange }: Props) {
  const id = useId();
  return (
    <Field label={label} description={description} htmlFor={id}>
      <Switch
        id={id}
        data-testid={testId}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Field>
  );
}
