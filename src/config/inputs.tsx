import React, { useId } from 'react';

import { Field, Input, RadioButtonGroup, SecretInput, SecretTextArea, Switch } from '@grafana/ui';

import { type Bounds, readWholeNumber } from '../wholeNumber';

/** The problem of an input, for `Field` to show and for screen readers. */
function useProblem(problem: string | undefined) {
  const id = useId();
  const invalid = Boolean(problem);
  return {
    field: { invalid, error: problem && <span id={id}>{problem}</span> },
    input: { invalid, 'aria-invalid': invalid, 'aria-describedby': problem && id },
  };
}

/** Props of every control of the settings page. */
interface ControlProps<T> {
  label: string;
  description?: string;
  value: T | undefined;
  disabled?: boolean;
  testId: string;
  onChange: (value: T) => void;
}

interface TextSettingProps extends ControlProps<string> {
  placeholder?: string;
  width?: number;
  problem?: string;
  required?: boolean;
}

/** A single-line text setting. */
export function TextSetting(props: TextSettingProps) {
  const { label, description, value, width = 60, problem, required, testId, onChange, ...rest } = props;
  const id = useId();
  const { field, input } = useProblem(problem);
  return (
    <Field label={label} description={description} {...field} required={required} htmlFor={id}>
      <Input
        id={id}
        {...input}
        {...rest}
        width={width}
        data-testid={testId}
        value={value ?? ''}
        required={required}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}

interface NumberSettingProps extends ControlProps<number> {
  /** Shown while the setting is absent. */
  fallback: number;
  bounds: Bounds;
}

/** A whole-number setting. Another text is saved as it is: the backend reports it by name, and the field says why. */
export function NumberSetting({ value, fallback, bounds, onChange, ...rest }: NumberSettingProps) {
  const text = value?.toString() ?? '';
  return (
    <TextSetting
      {...rest}
      value={text}
      placeholder={fallback.toString()}
      problem={readWholeNumber(text, bounds).problem}
      onChange={(typed) => onChange((readWholeNumber(typed, bounds).value ?? typed) as number)}
    />
  );
}

interface ChoiceSettingProps<T extends string> extends ControlProps<T> {
  options: Array<{ value: T; label: string }>;
}

/** A setting with a few values. */
export function ChoiceSetting<T extends string>(props: ChoiceSettingProps<T>) {
  const { label, description, value, options, disabled, testId, onChange } = props;
  const id = useId();
  return (
    <Field label={label} description={description}>
      <div data-testid={testId}>
        <RadioButtonGroup
          id={id}
          aria-label={label}
          value={value}
          disabled={disabled}
          options={options}
          onChange={onChange}
        />
      </div>
    </Field>
  );
}

/** A setting that is on or off. */
export function BooleanSetting(props: ControlProps<boolean>) {
  const { label, description, value = false, disabled, testId, onChange } = props;
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

/** The value is text that was entered but not saved yet. */
interface SecretSettingProps extends TextSettingProps {
  isConfigured: boolean;
  /** Multiple lines, as for certificates. */
  multiline?: boolean;
  onReset: () => void;
}

/** A write-only setting. */
export function SecretSetting(props: SecretSettingProps) {
  const { label, description, value = '', problem, required, multiline, width = 60, testId, onChange, ...rest } = props;
  const id = useId();
  const { field, input } = useProblem(problem);
  const common = { id, ...input, 'data-testid': testId, value, required, ...rest };
  return (
    <Field label={label} description={description} {...field} required={required} htmlFor={id}>
      {multiline ? (
        <SecretTextArea {...common} cols={60} rows={6} onChange={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <SecretInput
          {...common}
          width={width}
          autoComplete="new-password"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
