import React, { type PropsWithChildren, type ReactElement, useId, useState } from 'react';

import { t } from '@grafana/i18n';
import { Field, Input, Label } from '@grafana/ui';

import { defaultFormat, type Format } from '../query';
import { selectors } from '../selectors';
import { type Bounds, readWholeNumber } from '../wholeNumber';
import { type ControlProps } from './control';

interface LabeledProps {
  label: string;
  description?: string;
  problem?: string;
  /** Draws the control. Some of Grafana's controls are named by id, others only by the id of their label. */
  children: (ids: { id: string; labelId: string }) => ReactElement;
}

/** A control of the query editor with its label and what is wrong with it. */
export function Labeled({ label, description, problem, children }: LabeledProps) {
  const id = useId();
  const labelId = `${id}-label`;
  return (
    <Field
      noMargin
      invalid={Boolean(problem)}
      error={problem}
      label={
        <Label id={labelId} htmlFor={id} description={description}>
          {label}
        </Label>
      }
    >
      <Content>{children({ id, labelId })}</Content>
    </Field>
  );
}

/** Field hands its child properties that only Grafana's own controls understand; here they end. */
function Content({ children }: PropsWithChildren) {
  return <>{children}</>;
}

interface TextInputProps {
  label: string;
  value: string | undefined;
  placeholder: string;
  testId: string;
  onChange: (value: string) => void;
}

/** A line of text, which counts when the user leaves it or presses Enter. */
export function TextInput({ label, value = '', placeholder, testId, onChange }: TextInputProps) {
  const [edit, setEdit] = useState<{ saved: string; text: string }>();
  // A value that comes from elsewhere wins over what was typed here before.
  const text = edit?.saved === value ? edit.text : value;
  const commit = () => {
    setEdit(undefined);
    if (text.trim() !== value) {
      onChange(text.trim());
    }
  };
  return (
    <Labeled label={label}>
      {({ id }) => (
        <Input
          id={id}
          data-testid={testId}
          width={30}
          value={text}
          placeholder={placeholder}
          onChange={(event) => setEdit({ saved: value, text: event.currentTarget.value })}
          onBlur={commit}
          onKeyDown={(event) => event.key === 'Enter' && commit()}
        />
      )}
    </Labeled>
  );
}

interface NumberInputProps {
  label: string;
  value: number | undefined;
  placeholder: string;
  bounds: Bounds;
  testId: string;
  onChange: (value: number | undefined) => void;
}

/** What was typed and not saved yet, and over which saved value. */
interface Edit {
  saved: string;
  text: string;
  problem?: string;
}

/** A whole number or nothing. A text that is neither stays where it was typed, with the reason, and does not run. */
export function NumberInput({ label, value, placeholder, bounds, testId, onChange }: NumberInputProps) {
  const saved = value?.toString() ?? '';
  const [edit, setEdit] = useState<Edit>();
  // A value that comes from elsewhere, such as a preset, wins over what was typed here before.
  const { text, problem } = edit?.saved === saved ? edit : { text: saved, problem: undefined };

  const commit = () => {
    const read = readWholeNumber(text, bounds);
    setEdit(read.problem ? { saved, text, problem: read.problem } : undefined);
    if (!read.problem && read.value !== value) {
      onChange(read.value);
    }
  };

  return (
    <Labeled label={label} problem={problem}>
      {({ id }) => (
        <Input
          id={id}
          data-testid={testId}
          width={20}
          inputMode="numeric"
          invalid={Boolean(problem)}
          value={text}
          placeholder={placeholder}
          onChange={(event) => setEdit({ saved, text: event.currentTarget.value })}
          onBlur={commit}
          onKeyDown={(event) => event.key === 'Enter' && commit()}
        />
      )}
    </Labeled>
  );
}

interface DaysInputProps {
  days: number | undefined;
  testId?: string;
  onChange: (days: number | undefined) => void;
}

/** How many days to look back; empty follows the time range. */
export function DaysInput({ days, testId = selectors.query.days, onChange }: DaysInputProps) {
  return (
    <NumberInput
      label={t('editor.days.label', 'Days')}
      value={days}
      placeholder={t('editor.days.placeholder', 'Follow time range')}
      bounds={{ min: 1 }}
      testId={testId}
      onChange={onChange}
    />
  );
}

/** How many rows a table has, or how many numbers or lines there are: the largest, where no sort says otherwise. */
export function LimitInput({ query, onChange }: ControlProps) {
  const labels: Record<Format, string> = {
    table: t('editor.limit.rows', 'Rows'),
    numeric: t('editor.limit.groups', 'Groups'),
    timeseries: t('editor.limit.series', 'Series'),
  };
  const largest = (query.format ?? defaultFormat) !== defaultFormat && !query.sort;
  return (
    <NumberInput
      label={labels[query.format ?? 'table']}
      value={query.limit}
      placeholder={largest ? t('editor.limit.largest', 'All, or the largest …') : t('editor.limit.all', 'All')}
      bounds={{ min: 1 }}
      testId={selectors.query.limit}
      onChange={(limit) => onChange({ limit })}
    />
  );
}
