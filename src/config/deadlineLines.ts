import { isPlainObject } from 'lodash';

import { type Deadline } from '../../schema/settings';
import { isEmpty, textOf } from '../query/query';

/** The properties of a line, in their order. */
export const deadlineNames = ['automation', 'by', 'days', 'timezone', 'count', 'within'] as const;
export type DeadlineName = (typeof deadlineNames)[number];

/** A line as the texts of its fields. A provisioned line may be anything. */
export function textsOf(line: unknown): Record<DeadlineName, string> {
  const values = propertiesOf(line);
  const shown = Object.fromEntries(deadlineNames.map((name) => [name, textOf(values?.[name])]));
  const days = Array.isArray(values?.days) ? { days: values.days.map(textOf).join(', ') } : {};
  return { ...shown, ...days, ...(values ? {} : { automation: textOf(line) }) } as Record<DeadlineName, string>;
}

function propertiesOf(line: unknown): Record<string, unknown> | undefined {
  return isPlainObject(line) ? (line as Record<string, unknown>) : undefined;
}

/** The words of a text, such as days. */
export function wordsIn(text = ''): string[] {
  return text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
}

/** Sets a property of a line. An empty text removes it, days are a list, and a count is a number. */
export function setDeadline(line: Deadline, name: DeadlineName, text: string): Deadline {
  const value = name === 'days' ? wordsIn(text) : name === 'count' && /^\d+$/.test(text) ? Number(text) : text;
  const changed: Record<string, unknown> = {
    ...(propertiesOf(line) ?? { automation: textOf(line) }),
    [name]: value,
  };
  if (isEmpty(changed[name])) {
    delete changed[name];
  }
  return changed as Deadline;
}
