import { isPlainObject } from 'lodash';

import { describedAs, type Part, partNames } from './parts';
import {
  type Filter,
  type InsightsQuery,
  type InsightsVariableQuery,
  isEmpty,
  isMultiValue,
  withOperands,
} from './query';

type Query = InsightsQuery | InsightsVariableQuery;

/** A query whose properties have the types of its interface, and the properties that have another one. */
export interface Normalized<Q> {
  query: Q;
  /** As saved. They are sent and saved as they are: the backend reports them by name. */
  invalid: object;
}

const isText = (value: unknown) => typeof value === 'string';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isObject = (value: unknown): value is Record<string, unknown> => isPlainObject(value);
const isTextOrNone = (value: unknown) => value == null || isText(value);

/** The types that the backend reads, so that a panel and a rule say the same about a query that was written by hand. */
const isA: Record<ReturnType<typeof describedAs>['is'], (value: unknown) => boolean> = {
  text: isText,
  texts: isTexts,
  number: (value) => typeof value === 'number',
  sort: (value) => isObject(value) && isText(value.field) && isTextOrNone(value.order),
  filters: (value) => Array.isArray(value) && value.every(isFilter),
  attention: isAttention,
};

function isAttention(value: unknown): boolean {
  const { ignore, ...rest } = isObject(value) ? value : { none: {} };
  return (isEmpty(ignore) || isTexts(ignore)) && Object.values(rest).every((each) => typeof each !== 'object');
}

function isFilter(value: unknown): value is Filter {
  const { key, operator, value: one, values = [] }: Record<string, unknown> = isObject(value) ? value : { key: 0 };
  return isTextOrNone(key) && isTextOrNone(operator) && isTextOrNone(one) && (values === null || isTexts(values));
}

const known: string[] = [...partNames, 'field'];

/** Whether a saved query can have a property of this name, besides those that Grafana stores in any query. */
export const isKnown = (name: string) => known.includes(name);

/** Reads a saved query, which can contain any JSON value. An empty one is the same as an absent one. */
export function normalize<Q extends Query>(saved: Q): Normalized<Q> {
  // A query that is a text is another data source's.
  const query: Record<string, unknown> = isObject(saved) ? { ...(saved as object) } : {};
  const invalid: Record<string, unknown> = {};
  for (const name of known) {
    const value = query[name];
    delete query[name];
    if (!isEmpty(value)) {
      const isRead = isA[name === 'field' ? 'text' : describedAs(name as Part).is](value);
      (isRead ? query : invalid)[name] = isRead ? read(name, value) : value;
    }
  }
  return { query: query as unknown as Q, invalid };
}

function read(name: string, value: unknown): unknown {
  switch (name) {
    case 'filters':
    case 'having':
      return (value as Filter[]).map(filter);
    case 'sort':
      return { ...(value as object), order: (value as { order?: string }).order || 'asc' };
    default:
      return value;
  }
}

/** A filter. As in the backend, the operator decides whether its values are in `value` or in `values`, if both exist. */
function filter({ key, operator, value, values, ...rest }: Filter): Filter {
  const one = value == null ? undefined : [value];
  const operands = isMultiValue(operator) ? (values ?? one) : (one ?? values);
  return withOperands({ ...rest, key: key ?? '', operator: operator ?? '' }, operands ?? []);
}
