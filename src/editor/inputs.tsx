import { css } from '@emotion/css';
import React, { type PropsWithChildren, type ReactElement, useId, useState } from 'react';

import { t } from '@grafana/i18n';
import { Field, Input, Label } from '@grafana/ui';

import { defaultFormat, type Format, showsMeasure } from '../query';
import { selectors } from '../selectors';
import { type Bounds, readWholeNumber } from '../wholeNumber';
import { type ControlProps } from './control';

/** Labels of the controls in More, which its heading also uses to name their values. */
export function partLabels(format: Format = defaultFormat) {
  const limits: Record<Format, string> = {
    table: t('editor.limit.rows', 'Rows'),
    numeric: t('editor.limit.groups', 'Groups'),
    timeseries: t('editor.limit.series', 'Series'),
    timeline: t('editor.limit.lanes', 'Max lanes'),
  };
  return {
    days: t('editor.days.label', 'Last days'),
    search: t('editor.search.label', 'Search'),
    sort: t('editor.sort.label', 'Sort by'),
    limit: limits[format],
    timeField: t('editor.time-field.label', 'Time field'),
    compare: t('editor.compare.label', 'Compare with'),
  };
}

interface LabeledProps {
  label: string;
  description?: string;
  problem?: string;
  /** Renders the control. Some Grafana controls are labeled by their id, others only by the id of their label. */
  children: (ids: { id: string; labelId: string }) => ReactElement;
}

/** In a narrow pane, such as one half of a split Explore, a control shrinks instead of being cut off. */
const shrinks = css({
  minWidth: 0,
  maxWidth: '100%',
  '& div': { maxWidth: '100%' },
  // Grafana's MultiCombobox wraps the selected values only while it is open.
  '& span:has(> input)': { flexWrap: 'wrap' },
});

/** A control of the query editor with its label and, for an invalid value, the reason. */
export function Labeled({ label, description, problem, children }: LabeledProps) {
  const id = useId();
  const labelId = `${id}-label`;
  return (
    <Field
      noMargin
      className={shrinks}
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

/** Drops the props that Field passes to its child, which only Grafana's own controls understand. */
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

/** A text input that saves on blur and on Enter. */
export function TextInput({ label, value = '', placeholder, testId, onChange }: TextInputProps) {
  const [edit, setEdit] = useState<{ saved: string; text: string }>();
  // A value that is set from outside replaces unsaved text.
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

/** Unsaved text, and the saved value that it was typed over. */
interface Edit {
  saved: string;
  text: string;
  problem?: string;
}

/** A whole number or nothing. Any other text stays in the input with the reason, and is not saved. */
export function NumberInput({ label, value, placeholder, bounds, testId, onChange }: NumberInputProps) {
  const saved = value?.toString() ?? '';
  const [edit, setEdit] = useState<Edit>();
  // A value that is set from outside, for example by a preset, replaces unsaved text.
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

/** Number of days to look back; empty follows the time range. */
export function DaysInput({ days, testId = selectors.query.days, onChange }: DaysInputProps) {
  return (
    <NumberInput
      label={partLabels().days}
      value={days}
      placeholder={t('editor.days.placeholder', 'Use time range')}
      bounds={{ min: 1 }}
      testId={testId}
      onChange={onChange}
    />
  );
}

/** The most rows of a table, numbers, lines, or lanes. Without a sort, the largest numbers and lines are kept. */
export function LimitInput({ query, onChange }: ControlProps) {
  const largest = showsMeasure(query.format) && !query.sort;
  return (
    <NumberInput
      label={partLabels(query.format).limit}
      value={query.limit}
      placeholder={largest ? t('editor.limit.largest', 'All, or the largest N') : t('editor.limit.all', 'All')}
      bounds={{ min: 1 }}
      testId={selectors.query.limit}
      onChange={(limit) => onChange({ limit })}
    />
  );
}
