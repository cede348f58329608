import { omit, pickBy } from 'lodash';

import { oldThresholds, type Reason, reasons } from '../schema/attention';
import { type Attention, isEmpty } from './query';

const isZero = (value: unknown) => value !== '' && Number(value) === 0;

/** Whether a reason is on, as in the backend. */
export function isOn({ name, replaces = '' }: Reason, attention: Attention = {}): boolean {
  return ![name, replaces].some((key) => key in attention && isZero(attention[key]));
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
