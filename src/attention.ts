import { omit, pickBy } from 'lodash';

import { oldThresholds, type Reason, reasons } from '../schema/attention';
import { type Attention, isEmpty, isVariable } from './query';

/** As in the backend: null and false are no zero. */
const isZero = (value: unknown) => String(value).trim() === '0';

/** Whether a reason is on, as in the backend. */
function isOn({ name, replaces = '' }: Reason, attention: Attention): boolean {
  return ![name, replaces].some((key) => key in attention && isZero(attention[key]));
}

export const reasonsOn = (attention: Attention = {}) => reasons.filter((reason) => isOn(reason, attention));

/** Whether the backend reads a property: a reason can only be 0, and an old threshold anything. */
export function isJudged([name, value]: [string, unknown]): boolean {
  const isReason = reasons.some((reason) => reason.name === name);
  return ['sensitivity', ...oldThresholds].includes(name) || (isReason && (isZero(value) || isVariable(String(value))));
}

/** Thresholds of an old query that no longer mean anything. */
export function ignoredThresholds(attention: Attention = {}): string[] {
  return oldThresholds.filter((name) => !isEmpty(attention[name]) && !isZero(attention[name]));
}

/** Switches reasons on and off, and removes the thresholds of an old query. A variable stays while its reason is on. */
export function withReasons(attention: Attention = {}, on = reasonsOn(attention).map(({ name }) => name)): Attention {
  const all = reasons.map(({ name }) => name);
  const off = all.filter((name) => !on.includes(name)).map((name) => [name, 0]);
  const kept = pickBy(attention, (value, name) => !all.includes(name) || (on.includes(name) && !isZero(value)));
  return { ...omit(kept, oldThresholds), ...Object.fromEntries(off) } as Attention;
}

/** An object without empty values. */
export const compact = (attention: Attention) => pickBy(attention, (value) => !isEmpty(value)) as Attention;
