import { type Filter, type Operator } from '../query';

/** Whether an operator compares with several values. */
export function isMultiValue(operator: Operator): boolean {
  return operator === '=|' || operator === '!=|';
}

/** A filter that was just added: the query gets it when it has a field and something to compare with. */
export const newFilter: Filter = { key: '', operator: '=' };

export function isComplete({ key, operator, value, values }: Filter): boolean {
  return key !== '' && (isMultiValue(operator) ? Boolean(values?.length) : value !== undefined);
}

/** Compares another field; the value of the old one means nothing there. */
export function withKey({ operator }: Filter, key: string): Filter {
  return { key, operator };
}

/** Compares in another way, keeping as many values as the operator takes. */
export function withOperator({ key, value, values }: Filter, operator: Operator): Filter {
  const all = values ?? (value === undefined ? [] : [value]);
  if (all.length === 0) {
    return { key, operator };
  }
  return isMultiValue(operator) ? { key, operator, values: all } : { key, operator, value: all[0] };
}
