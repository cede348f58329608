import { isPlainObject } from 'lodash';

import { isJudged } from './attention';
import {
  type Filter,
  type InsightsQuery,
  type InsightsVariableQuery,
  isEmpty,
  isMultiValue,
  type Operator,
  type Order,
  type Sort,
  withOperands,
} from './query';
import { readWholeNumber } from './numbers';

type Query = InsightsQuery | InsightsVariableQuery;

/** A query whose properties have the types of its interface, and the properties that can't be read. */
export interface Normalized<Q> {
  query: Q;
  /** As saved. They are sent and saved as they are: the backend reports them by name. */
  invalid: object;
}

/** Reads a value that is not empty; undefined if it can't be read. */
type Reader = (value: unknown) => unknown;

const readers = {
  ...{ queryType: text, format: text, measure: text, timeField: text, state: text, compare: text, per: text },
  ...{ search: text, timezone: text, field: text, columns: texts, groupBy: texts, days: count, limit: count },
  ...{ measures: texts, having: filters, sort, filters, attention },
};

/** Whether a saved query can have a property of this name, besides those that Grafana stores in any query. */
export const isKnown = (name: string) => name in readers;

/**
 * Reads a saved query. Dashboards are also written by hand and by programs, so a property can contain any JSON value.
 * Another type becomes what was certainly meant, such as one text where a list belongs, and an empty value is the same as
 * an absent one. Texts are not checked: the backend reports a value that it doesn't know, and the editor shows it.
 */
export function normalize<Q extends Query>(saved: Q): Normalized<Q> {
  // A query that is a text is another data source's.
  const query: Record<string, unknown> = isPlainObject(saved) ? { ...saved } : {};
  const invalid: Record<string, unknown> = {};
  for (const [name, read] of Object.entries<Reader>(readers)) {
    const value = query[name];
    delete query[name];
    const known = isEmpty(value) ? undefined : read(value);
    if (known !== undefined) {
      query[name] = known;
    } else if (!isEmpty(value)) {
      invalid[name] = value;
    }
  }
  return { query: query as unknown as Q, invalid };
}

/** A text, or a scalar that YAML doesn't read as a text. */
function text(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** A number. The backend reports one that is not allowed. */
function count(value: unknown): number | undefined {
  const read = typeof value === 'string' ? readWholeNumber(value, { min: 1 }).value : value;
  return typeof read === 'number' ? read : undefined;
}

function texts(value: unknown): string[] | undefined {
  return all(value, text);
}

/** The items of a list, or the only one without a list; undefined if one of them can't be read. */
function all<T>(value: unknown, read: (item: unknown) => T | undefined): T[] | undefined {
  const items = [value].flat().map(read);
  return items.every((item) => item !== undefined) ? (items as T[]) : undefined;
}

/** A sort. As a text, it has the form of the service's own API: "items,desc". */
function sort(value: unknown): Sort | undefined {
  if (typeof value === 'string') {
    const [, field, order = 'asc'] = /^\s*([^,]+?)\s*(?:,\s*(asc|desc)\s*)?$/i.exec(value) ?? [];
    return field ? { field, order: order.toLowerCase() as Order } : undefined;
  }
  const { field, order }: Record<string, unknown> = isPlainObject(value) ? { ...(value as object) } : {};
  const read = texts([field, order || 'asc']);
  return read && { field: read[0], order: read[1] as Order };
}

/** What is judged, with one automation or runner to ignore, or a list of them. */
function attention(value: unknown): object | undefined {
  if (!isPlainObject(value)) {
    return undefined;
  }
  const { ignore, ...rest } = value as Record<string, unknown>;
  const ignored = isEmpty(ignore) ? undefined : texts(ignore);
  const isRead = Object.entries(rest).every(isJudged) && texts(Object.values(rest)) && (ignored || isEmpty(ignore));
  return isRead ? { ...rest, ...(ignored && { ignore: ignored }) } : undefined;
}

function filters(value: unknown): Filter[] | undefined {
  return all(value, filter);
}

/** A filter. As in the backend, the operator decides whether its values are in `value` or in `values`, if both exist. */
function filter(saved: unknown): Filter | undefined {
  if (!isPlainObject(saved)) {
    return undefined;
  }
  const { key, operator, value, values, ...rest } = { ...(saved as Record<string, unknown>) };
  const names = texts([key ?? '', operator ?? '']);
  const operands = isMultiValue(names?.[1]) ? (values ?? value) : (value ?? values);
  const read = texts(operands ?? []);
  return names && read && withOperands({ ...rest, key: names[0], operator: names[1] as Operator }, read);
}
