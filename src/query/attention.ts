import { omit, pickBy } from 'lodash';

import { reasons } from '../../schema/attention';
import { type Named } from '../../schema/datasets';
import { type Attention, isEmpty, isVariable } from './query';

/** Whether a reason is on, as in the backend: null and false are no zero. */
const isOn = ({ name }: Named, attention: Attention) => String(attention[name]).trim() !== '0';

export const reasonsOn = (attention: Attention = {}) => reasons.filter((reason) => isOn(reason, attention));

/** The variable that switches a reason off if its value is 0. */
export function variableOf({ name }: Named, attention: Attention): string | undefined {
  const value = String(attention[name]);
  return isVariable(value) ? value : undefined;
}

/** Switches these reasons on, and the others off. What is saved for a reason stays until the reason is switched. */
export function withReasons(attention: Attention, on: string[]): Attention {
  const switched = reasons.filter((reason) => isOn(reason, attention) !== on.includes(reason.name));
  const off = switched.filter(({ name }) => !on.includes(name)).map(({ name }) => [name, 0]);
  const names = switched.map(({ name }) => name);
  return { ...omit(attention, names), ...Object.fromEntries(off) };
}

/** An object without empty values. */
export const compact = (attention: Attention) => pickBy(attention, (value) => !isEmpty(value)) as Attention;
