import { css } from '@emotion/css';
import React, { type ClipboardEvent } from 'react';

import { t } from '@grafana/i18n';
import { Input, SecretInput, SecretTextArea } from '@grafana/ui';

import { Labeled, type ValueProps } from '../controls/Labeled';
import { type Bounds, decimal, readNumber, readWholeNumber } from '../query/numbers';
import { textOf } from '../query/query';

interface TextSettingProps extends ValueProps<string> {
  placeholder?: string;
  width?: number;
  onPaste?: (event: ClipboardEvent) => void;
}

/** A single-line text setting. It saves each letter: the button that saves the page is elsewhere. */
export function TextSetting({ value = '', width = 60, testId, onChange, ...props }: TextSettingProps) {
  const { label, description, problem, required, ...rest } = props;
  return (
    <Labeled {...{ label, description, problem, required }}>
      {({ id, invalid }) => (
        <Input
          {...rest}
          id={id}
          invalid={invalid}
          width={width}
          data-testid={testId}
          value={value}
          required={required}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Labeled>
  );
}

interface NumberSettingProps extends Omit<ValueProps<number>, 'problem'> {
  /** Shown while the setting is absent. */
  fallback: number;
  bounds: Required<Bounds>;
  isFraction?: boolean;
}

/** A number setting. Another text is saved as it is: the backend reports it by name, and the field says why. */
export function NumberSetting({ value, fallback, bounds, isFraction, onChange, ...rest }: NumberSettingProps) {
  const text = textOf(value);
  const read = isFraction ? readNumber(text, bounds) : readWholeNumber(text, bounds, decimal);
  return (
    <TextSetting
      {...rest}
      value={text}
      placeholder={fallback.toString()}
      problem={read.problem}
      onChange={(typed) => {
        const { value: typedNumber } = isFraction ? readNumber(typed, bounds) : readWholeNumber(typed, bounds);
        // A text such as 0. on the way to 0.5 is kept, too.
        onChange((typedNumber?.toString() === typed ? typedNumber : typed) as number);
      }}
    />
  );
}

export { Toggle as BooleanSetting } from '../controls/Labeled';

/** The value is text that was entered but not saved yet. */
interface SecretSettingProps extends TextSettingProps {
  isConfigured: boolean;
  multiline?: boolean;
  onReset: () => void;
}

const unframed = css({ display: 'contents' });

/** A write-only setting. */
export function SecretSetting({ value = '', width = 60, multiline, testId, onChange, ...props }: SecretSettingProps) {
  const { label, description, problem, required, disabled, ...rest } = props;
  const change = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  return (
    <Labeled label={label} description={description} problem={problem} required={required}>
      {({ id, invalid }) => {
        const common = { ...rest, id, invalid, 'data-testid': testId, value, required, disabled, onChange: change };
        return (
          // Grafana's inputs have no disabled Reset, and call each one so.
          <fieldset
            disabled={disabled}
            className={unframed}
            ref={(own) =>
              own?.querySelector('button')?.setAttribute('aria-label', t('config.reset', 'Reset {{label}}', { label }))
            }
          >
            {multiline ? (
              <SecretTextArea {...common} cols={60} rows={6} />
            ) : (
              <SecretInput {...common} width={width} autoComplete="new-password" />
            )}
          </fieldset>
        );
      }}
    </Labeled>
  );
}
