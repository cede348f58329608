import React, { useId } from 'react';

import { t } from '@grafana/i18n';
import { Button, Field, Input, Stack, TextArea } from '@grafana/ui';

interface Props {
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
export function SecretSetting(props: Props) {
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
