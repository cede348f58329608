import React, { useId, useState } from 'react';

import { t } from '@grafana/i18n';
import { Button, Field, Input, Stack, Switch, TextArea } from '@grafana/ui';

import { type Bounds, readWholeNumber } from '../wholeNumber';

interface TextSettingProps {
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
export function TextSetting(props: TextSettingProps) {
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

interface NumberSettingProps {
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
export function NumberSetting({ value, fallback, bounds, onChange, ...rest }: NumberSettingProps) {
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

interface BooleanSettingProps {
  label: string;
  description?: string;
  value: boolean | undefined;
  disabled?: boolean;
  testId: string;
  onChange: (value: boolean) => void;
}

/** A setting that is on or off. */
export function BooleanSetting({ label, description, value = false, disabled, testId, onChange }: BooleanSettingProps) {
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

interface SecretSettingProps {
  label: string;
  description?: string;
  /** What was typed and not saved yet. */
  value: string | undefined;
  isConfigured: boolean;
  placeholder?: string;
  width?: number;
  required?: boolean;
  disabled?: boolean;
  /** Several lines, as certificates have. */
  multiline?: boolean;
  testId: string;
  onChange: (value: string) => void;
  onReset: () => void;
}

/** A setting that can be written and never read again. Unlike Grafana's own, its reset is off when provisioned. */
export function SecretSetting(props: SecretSettingProps) {
  const { label, description, value, isConfigured, required, disabled, multiline, testId, onChange, onReset } = props;
  const id = useId();
  const shown = isConfigured ? t('config.secret.configured', 'Configured') : (value ?? '');
  const common = { id, 'data-testid': testId, value: shown, disabled: disabled || isConfigured, required };
  return (
    <Field label={label} description={description} required={required} htmlFor={id}>
      <Stack gap={1}>
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
      </Stack>
    </Field>
  );
}
