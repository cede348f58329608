import { isPlainObject, mapValues } from 'lodash';

import { describedAs, type Part, partNames } from './parts';
import {
  type Filter,
  type InsightsQuery,
  type InsightsVariableQuery,
  isEmpty,
  isMultiValue,
  type Order,
  type Sort,
  textOf,
  withOperands,
} from './query';

const isObject = (value: unknown): value is Record<string, unknown> => isPlainObject(value);

/** A list, or the only value of one. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value == null ? [] : [value]);

/** The parts of a text that are not empty, without spaces around them. */
export const partsOf = (text: string, separator: RegExp) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);

/** A filter. As in the backend, the operator decides whether its values are in `value` or in `values`, if both exist. */
export function shownFilter(saved: unknown): Filter {
  const { key, operator, value, values, ...rest } = isObject(saved) ? saved : { key: saved };
  const [one, several] = [value, values].map((each) => (each == null ? undefined : listOf(each).map(textOf)));
  const operands = isMultiValue(textOf(operator)) ? (several ?? one) : (one ?? several);
  return withOperands({ ...rest, key: textOf(key), operator: textOf(operator) as Filter['operator'] }, operands ?? []);
}

function shownSort(saved: unknown): Sort {
  const [field, order] = textOf(saved).split(',');
  const sort = isObject(saved) ? saved : { field, order };
  return { field: textOf(sort.field), order: (textOf(sort.order) || 'asc') as Order };
}

const shown: Record<ReturnType<typeof describedAs>['is'], (value: unknown) => unknown> = {
  text: textOf,
  texts: (value) => listOf(value).map(textOf),
  number: (value) => (typeof value === 'object' ? textOf(value) : value),
  sort: shownSort,
  // Each as saved: only the one that is changed is written anew.
  filters: listOf,
  attention: (value) =>
    isObject(value)
      ? mapValues(value, (each, name) => (name === 'ignore' ? listOf(each).map(textOf) : each))
      : undefined,
};

/**
 * What controls and texts show of a saved query, which can contain any JSON value: a value of another type as what the
 * backend reads it as, or as a text. It is never sent or saved: the backend alone reads queries, and reports what it can't.
 */
export function shownQuery<Q extends InsightsQuery | InsightsVariableQuery>(saved: Q): Q {
  // A query that is a text is another data source's.
  const query: Record<string, unknown> = isObject(saved) ? { ...(saved as object) } : {};
  for (const name of [...partNames, 'field']) {
    const value = isEmpty(query[name])
      ? undefined
      : shown[name === 'field' ? 'text' : describedAs(name as Part).is](query[name]);
    delete query[name];
    if (!isEmpty(value)) {
      query[name] = value;
    }
  }
  return query as unknown as Q;
}
