import React, { type PropsWithChildren, type ReactElement, useId } from 'react';

import { Field, Label, RadioButtonGroup, Switch } from '@grafana/ui';

import { narrow } from './narrow';

/** What every control of the editors has. */
export interface LabeledProps {
  label: string;
  description?: string;
  /** What is wrong with the value. */
  problem?: string;
  required?: boolean;
}

/** Some Grafana controls are labeled by their id, others only by the id of their label. */
interface Ids {
  id: string;
  labelId: string;
  /** Marks an input as invalid, also for screen readers, which Grafana 12 doesn't. */
  validity: { invalid: boolean; 'aria-invalid': boolean; 'aria-describedby': string | undefined };
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
  const validity = { invalid, 'aria-invalid': invalid, 'aria-describedby': problem && problemId };
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
      <Content>{children({ id, labelId, validity })}</Content>
    </Field>
  );
}

/** Drops the props that Field passes to its child, which only Grafana's own controls understand. */
function Content({ children }: PropsWithChildren) {
  return <>{children}</>;
}

interface ChoiceProps<T extends string> extends LabeledProps {
  testId: string;
  options: Array<{ value: T; label: string }>;
  /** As saved: one that is none of the options is an option of its own. */
  value: T | undefined;
  disabled?: boolean;
  onChange: (value: T) => void;
}

/** One of up to five fixed values, all of which are visible. */
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

interface ToggleProps extends LabeledProps {
  testId: string;
  value: boolean | undefined;
  disabled?: boolean;
  onChange: (value: boolean) => void;
}

/** What is on or off. */
export function Toggle({ testId, value, disabled, onChange, ...labeled }: ToggleProps) {
  return (
    <Labeled {...labeled}>
      {({ id, validity }) => (
        <Switch
          {...validity}
          {...{ id, value, disabled }}
          data-testid={testId}
          onChange={({ currentTarget: { checked } }) => onChange(checked)}
        />
      )}
    </Labeled>
  );
}
