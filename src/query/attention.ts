import { omit, pickBy, uniq } from 'lodash';

import { type Reason, reasons } from '../../schema/attention';
import { type Attention, isEmpty, isVariable } from './query';

/** As in the backend: null and false are no zero. */
const isZero = (value: unknown) => String(value).trim() === '0';

/** What can switch a reason off: its own name, and the threshold that it replaces. */
const switchesOf = ({ name, replaces = name }: Reason) => [name, replaces];

/** Whether a reason is on, as in the backend. */
const isOn = (reason: Reason, attention: Attention) => !switchesOf(reason).some((name) => isZero(attention[name]));

export const reasonsOn = (attention: Attention = {}) => reasons.filter((reason) => isOn(reason, attention));

/** The variables that switch a reason off if their value is 0. */
export function variablesOf(reason: Reason, attention: Attention): string[] {
  const values = switchesOf(reason).map((name) => String(attention[name]));
  return uniq(values.filter(isVariable));
}

/** What is saved without an effect: thresholds of an old query, and variables of a reason that is off. */
export function ignoredThresholds(attention: Attention = {}): string[] {
  const variables = reasonsOn(attention).flatMap((reason) => variablesOf(reason, attention));
  const hasEffect = (name: string) =>
    reasons.some((reason) => switchesOf(reason).includes(name)) &&
    (isZero(attention[name]) || variables.includes(String(attention[name])));
  return Object.keys(omit(compact(attention), 'sensitivity', 'ignore')).filter((name) => !hasEffect(name));
}

/** Switches these reasons on, and the others off. What is saved for a reason stays until the reason is switched. */
export function withReasons(attention: Attention, on: string[]): Attention {
  const switched = reasons.filter((reason) => isOn(reason, attention) !== on.includes(reason.name));
  const off = switched.filter(({ name }) => !on.includes(name)).map(({ name }) => [name, 0]);
  return { ...omit(attention, switched.flatMap(switchesOf)), ...Object.fromEntries(off) };
}

/** An object without empty values. */
export const compact = (attention: Attention) => pickBy(attention, (value) => !isEmpty(value)) as Attention;
