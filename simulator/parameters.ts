import type { HonoRequest } from 'hono';

import type { PageRequest } from './envelope';
import { HttpError } from './http-error';
import { MOST_PAGE_SIZE, type SimulatorOptions } from './options';
import type { SortOrder } from './sorting';
import type { Switches } from './switches';

const DEFAULT_DAYS = 30;

/** `page`, from 0; and `size` where the switches let it count. */
export function pageOf(request: HonoRequest, options: SimulatorOptions, switches: Switches): PageRequest {
  return { number: whole(request, 'page', 0, 0), size: sizeOf(request, options, switches) };
}

function sizeOf(request: HonoRequest, { pageSize }: SimulatorOptions, { size, maxPageSize }: Switches): number {
  if (size === 'ignored' || request.query('size') === undefined) {
    return pageSize;
  }
  if (size === 'refused') {
    throw new HttpError(400, 'Parameter size is unknown');
  }
  return Math.min(whole(request, 'size', pageSize, 1), maxPageSize);
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
