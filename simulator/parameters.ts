import type { HonoRequest } from 'hono';

import type { PageRequest } from './envelope';
import { HttpError } from './http-error';
import type { SimulatorOptions } from './options';
import type { SortOrder } from './sorting';

const MOST_PAGE_SIZE = 2000;
const DEFAULT_DAYS = 30;

/** `page`, from 0; and `size` where the options let it count. */
export function pageOf(request: HonoRequest, options: SimulatorOptions): PageRequest {
  const size = options.honorSize ? whole(request, 'size', options.pageSize, 1) : options.pageSize;
  return { number: whole(request, 'page', 0, 0), size: Math.min(size, Math.max(MOST_PAGE_SIZE, options.pageSize)) };
}

/** Days to look back, at least 1: `days` or `filterBy`. */
export function daysOf(request: HonoRequest, name: 'days' | 'filterBy'): number {
  return whole(request, name, DEFAULT_DAYS, 1);
}

/** `sort`, as `<field>,<order>`. */
export function sortOf(request: HonoRequest, fields: string[], fallback: SortOrder): SortOrder {
  const text = request.query('sort');
  if (!text) {
    return fallback;
  }
  const [field, order, ...rest] = text.split(',');
  if (!fields.includes(field)) {
    throw new HttpError(400, `Cannot sort by "${field}"; fields: ${fields.join(', ')}`);
  }
  if ((order !== 'asc' && order !== 'desc') || rest.length > 0) {
    throw new HttpError(400, `Cannot sort as "${text}"; expected <field>,asc or <field>,desc`);
  }
  return { field, order };
}

/** Rows whose key contains the text of a search parameter, in upper or lower case; all rows without one. */
export function search<T>(rows: T[], text: string | undefined, keyOf: (row: T) => string): T[] {
  if (!text) {
    return rows;
  }
  const wanted = text.toLowerCase();
  return rows.filter((row) => keyOf(row).toLowerCase().includes(wanted));
}

function whole(request: HonoRequest, name: string, fallback: number, least: number): number {
  const text = request.query(name);
  if (!text) {
    return fallback;
  }
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || value < least || value > Number.MAX_SAFE_INTEGER / MOST_PAGE_SIZE) {
    throw new HttpError(400, `Parameter ${name} is "${text}"; expected a whole number from ${least}`);
  }
  return value;
}
