import { css } from '@emotion/css';
import React, { type ReactElement, useEffect, useId } from 'react';

import { Field, Label, RadioButtonGroup, Switch } from '@grafana/ui';

import { KeepFocus } from './KeepFocus';

/** In a narrow pane, such as one half of a split Explore, controls shrink or wrap instead of being cut off. */
export const narrow = css({
  minWidth: 0,
  maxWidth: '100%',
  '& div': { maxWidth: '100%' },
  '& [role="radiogroup"]': { flexWrap: 'wrap', height: 'auto' },
  // Grafana's MultiCombobox wraps the selected values only while it is open.
  '& span:has(> input)': { flexWrap: 'wrap' },
});

/** What every control of the editors has. */
export interface LabeledProps {
  label: string;
  description?: string;
  problem?: string;
  required?: boolean;
}

/** What every control has that shows a value and changes it at once. */
export interface ValueProps<T> extends LabeledProps {
  testId: string;
  value: T | undefined;
  disabled?: boolean;
  onChange: (value: T) => void;
}

/** Some Grafana controls are labeled by their id, others only by the id of their label. */
interface Ids {
  id: string;
  labelId: string;
  invalid: boolean;
}

interface Props extends LabeledProps {
  /** The control is a group, which a label can't refer to. */
  isGroup?: boolean;
  children: (ids: Ids) => ReactElement;
}

/** A control with its label and, for an invalid value, the reason. */
export function Labeled({ label, description, problem, required, isGroup, children }: Props) {
  const id = useId();
  const [labelId, problemId] = [`${id}-label`, `${id}-problem`];
  const invalid = Boolean(problem);
  // Not every control of Grafana's tells a screen reader whether its value is wrong, and why.
  useEffect(() => {
    const control = isGroup ? null : document.getElementById(id);
    control?.setAttribute('aria-invalid', String(invalid));
    invalid && control?.setAttribute('aria-describedby', problemId);
    return () => (invalid ? control?.removeAttribute('aria-describedby') : undefined);
  });
  return (
    <Field
      noMargin
      className={narrow}
      invalid={invalid}
      error={problem && <span id={problemId}>{problem}</span>}
      label={
        <Label id={labelId} htmlFor={isGroup ? undefined : id} description={description}>
          {required ? `${label} *` : label}
        </Label>
      }
    >
      <KeepFocus>{children({ id, labelId, invalid })}</KeepFocus>
    </Field>
  );
}

interface ChoiceProps<T extends string> extends ValueProps<T> {
  options: Array<{ value: T; label: string }>;
}

/** One of up to five fixed values, all of which are visible. A saved one that is none of them is an option of its own. */
export function Choice<T extends string>({ testId, options, disabled, onChange, ...labeled }: ChoiceProps<T>) {
  const { value, ...rest } = labeled;
  const isKnown = value === undefined || options.some((option) => option.value === value);
  return (
    <Labeled {...rest} isGroup>
      {({ id }) => (
        <div data-testid={testId}>
          <RadioButtonGroup
            id={id}
            aria-label={rest.label}
            disabled={disabled}
            options={isKnown ? options : [...options, { value, label: value }]}
            value={value}
            onChange={onChange}
          />
        </div>
      )}
    </Labeled>
  );
}

/** What is on or off. */
export function Toggle({ testId, value, disabled, onChange, ...labeled }: ValueProps<boolean>) {
  return (
    <Labeled {...labeled}>
      {({ id, invalid }) => (
        <Switch
          invalid={invalid}
          {...{ id, value, disabled }}
          data-testid={testId}
          onChange={({ currentTarget: { checked } }) => onChange(checked)}
        />
      )}
    </Labeled>
  );
}
