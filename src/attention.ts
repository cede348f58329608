import { omit, pickBy } from 'lodash';

import { oldThresholds, type Reason, reasons } from '../schema/attention';
import { type Attention, isEmpty, isVariable } from './query';

/** As in the backend: null and false are no zero. */
const isZero = (value: unknown) => String(value).trim() === '0';

/** Whether a reason is on, as in the backend. */
export function isOn({ name, replaces = '' }: Reason, attention: Attention = {}): boolean {
  return ![name, replaces].some((key) => key in attention && isZero(attention[key]));
}

/** Whether the backend reads a property: a reason can only be 0, and an old threshold anything. */
export function isJudged([name, value]: [string, unknown]): boolean {
  const isReason = reasons.some((reason) => reason.name === name);
  return ['sensitivity', ...oldThresholds].includes(name) || (isReason && (isZero(value) || isVariable(String(value))));
}

/** Thresholds of an old query that no longer mean anything. */
export function ignoredThresholds(attention: Attention = {}): string[] {
  return oldThresholds.filter((name) => !isEmpty(attention[name]) && !isZero(attention[name]));
}

/** Removes the thresholds of an old query, and keeps which reasons are on. */
export function withReasons(attention: Attention = {}, on: string[]): Attention {
  const kept = omit(attention, [...oldThresholds, ...reasons.map(({ name }) => name)]);
  const off = reasons.filter(({ name }) => !on.includes(name)).map(({ name }) => [name, 0]);
  return { ...kept, ...Object.fromEntries(off) };
}

/** An object without empty values. */
export const compact = (attention: Attention) => pickBy(attention, (value) => !isEmpty(value)) as Attention;
