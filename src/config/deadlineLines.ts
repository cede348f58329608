import { isPlainObject } from 'lodash';

import { type Deadline } from '../../schema/settings';
import { isEmpty, textOf } from '../query/query';

/** The properties of a line, in their order. */
export const deadlineNames = ['automation', 'by', 'from', 'days', 'timezone', 'count', 'within'] as const;
export type DeadlineName = (typeof deadlineNames)[number];

/** A line as the texts of its fields. A provisioned line may be anything. */
export function textsOf(line: unknown): Record<DeadlineName, string> {
  const values = propertiesOf(line);
  const shown = Object.fromEntries(deadlineNames.map((name) => [name, textOf(values?.[name])]));
  const days = Array.isArray(values?.days) ? { days: values.days.map(textOf).join(', ') } : {};
  return { ...shown, ...days, ...(values ? {} : { automation: textOf(line) }) } as Record<DeadlineName, string>;
}

/** The properties of a provisioned value that should have some. */
export function propertiesOf(value: unknown): Record<string, unknown> | undefined {
  return isPlainObject(value) ? (value as Record<string, unknown>) : undefined;
}

/** The days in a text, such as "mon, 15, workday 5". */
export function daysIn(text = ''): string[] {
  return text.toLowerCase().match(/last\s+workday|workday\s+\d+|[^\s,]+/g) ?? [];
}

/** The lines of a text that have one. */
export function linesIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Sets a property. An empty value removes it. */
export function withProperty(value: unknown, name: string, changed: unknown): Record<string, unknown> {
  const result: Record<string, unknown> = { ...propertiesOf(value), [name]: changed };
  if (isEmpty(changed)) {
    delete result[name];
  }
  return result;
}

/** Sets a property of a line. Days are a list, and a count is a number. */
export function setDeadline(line: Deadline, name: DeadlineName, text: string): Deadline {
  const value = name === 'days' ? daysIn(text) : name === 'count' && /^\d+$/.test(text) ? Number(text) : text;
  return withProperty(propertiesOf(line) ?? { automation: textOf(line) }, name, value);
}
