import React, { type PropsWithChildren, useEffect, useId, useState } from 'react';

import { t } from '@grafana/i18n';
import { Button, Field, Input, RadioButtonGroup, Stack, Switch, TextArea } from '@grafana/ui';

import { noteUnsaved } from '../check';
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
interface ControlProps<T, Changed = T> {
  label: string;
  description?: string;
  value: T | undefined;
  disabled?: boolean;
  testId: string;
  onChange: (value: Changed) => void;
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

interface CheckedSettingProps extends Omit<TextSettingProps, 'problem'> {
  /** Describes what is wrong with a text. */
  check: (text: string) => string | undefined;
}

/** A text setting that keeps invalid text in the field, with the reason, and does not save it. */
export function CheckedSetting({ value, check, onChange, ...rest }: CheckedSettingProps) {
  const [rejected, setRejected] = useState<string>();
  const field = useId();
  const { label } = rest;
  const isRejected = rejected !== undefined;
  // Lets "Save & test" know that the field contains an unsaved value.
  useEffect(() => {
    noteUnsaved(field, isRejected ? label : undefined);
    return () => noteUnsaved(field, undefined);
  }, [field, label, isRejected]);
  return (
    <TextSetting
      {...rest}
      value={rejected ?? value}
      problem={isRejected ? check(rejected) : undefined}
      onChange={(text) => {
        const isWrong = check(text) !== undefined;
        setRejected(isWrong ? text : undefined);
        if (!isWrong) {
          onChange(text);
        }
      }}
    />
  );
}

interface NumberSettingProps extends ControlProps<number, number | undefined> {
  /** Shown while the setting is absent. */
  fallback: number;
  bounds: Bounds;
}

/** A whole-number setting. */
export function NumberSetting({ value, fallback, bounds, onChange, ...rest }: NumberSettingProps) {
  return (
    <CheckedSetting
      {...rest}
      value={value?.toString()}
      placeholder={fallback.toString()}
      check={(text) => readWholeNumber(text, bounds).problem}
      onChange={(text) => onChange(readWholeNumber(text, bounds).value)}
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

/** A write-only setting. Unlike Grafana's own component, it disables the reset of a provisioned data source. */
export function SecretSetting(props: SecretSettingProps) {
  const { label, description, value, isConfigured, required, disabled, multiline, testId, onChange, onReset } = props;
  const id = useId();
  const shown = isConfigured ? t('config.secret.configured', 'Configured') : (value ?? '');
  const { field, input } = useProblem(props.problem);
  const common = { id, ...input, 'data-testid': testId, value: shown, disabled: disabled || isConfigured, required };
  return (
    <Field label={label} description={description} {...field} required={required} htmlFor={id}>
      <Content>
        {multiline && !isConfigured ? (
          <TextArea
            {...common}
            cols={60}
            rows={6}
            placeholder={props.placeholder}
            onChange={(e) => onChange(e.currentTarget.value)}
          />
        ) : (
          <Input
            {...common}
            width={props.width ?? 60}
            type={isConfigured ? 'text' : 'password'}
            autoComplete="new-password"
            placeholder={props.placeholder}
            onChange={(e) => onChange(e.currentTarget.value)}
          />
        )}
        {isConfigured && (
          <Button
            variant="secondary"
            type="button"
            disabled={disabled}
            onClick={onReset}
            data-testid={`${testId}-reset`}
            aria-label={t('config.secret.reset-label', 'Reset {{label}}', { label })}
          >
            {t('config.secret.reset', 'Reset')}
          </Button>
        )}
      </Content>
    </Field>
  );
}

/** A row of controls. Field passes its child properties that only Grafana's own inputs support; this discards them. */
function Content({ children }: PropsWithChildren) {
  return <Stack gap={1}>{children}</Stack>;
}
