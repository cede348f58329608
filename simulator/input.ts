import type { Context, HonoRequest } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

import type { PageRequest } from './lists';
import { MOST_PAGE_SIZE, type SimulatorOptions } from './options';
import type { SortOrder } from './reports';

/** An error response with a status and the JSON `{"message": …}`, as the service sends it. */
export class HttpError extends Error {
  constructor(
    readonly status: ContentfulStatusCode,
    message: string
  ) {
    super(message);
  }
}

const DEFAULT_DAYS = 30;

/** `page`, from 0; and `size`, if the options enable it. */
export function pageOf(request: HonoRequest, options: SimulatorOptions): PageRequest {
  return { number: whole(request, 'page', 0, 0), size: sizeOf(request, options) };
}

function sizeOf(request: HonoRequest, { pageSize, size, maxPageSize }: SimulatorOptions): number {
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
    throw new HttpError(400, `Cannot sort as "${text}"; use <field>,asc or <field>,desc`);
  }
  return { field, order };
}

/** The rows whose key contains the text of a search parameter, ignoring case; all rows without one. */
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
    throw new HttpError(400, `Parameter ${name} is "${text}"; it must be a whole number of at least ${least}`);
  }
  return value;
}

/** The JSON object in the body of a request, or a 400 that says what was expected. */
export async function objectOf(c: Context, expected: string): Promise<Record<string, unknown>> {
  const body: unknown = await c.req.json().catch(() => null);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new HttpError(400, `Expected a JSON object with ${expected}`);
  }
  return { ...body };
}

/** A text in a posted JSON object, or a 400 that says what is allowed. */
export function oneOf<T extends string>(name: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) {
    throw new HttpError(400, `${name}: "${value}" must be one of ${allowed.join(', ')}`);
  }
  return found;
}

/** A whole number in a posted JSON object, or a 400 that says what is allowed. */
export function wholeNumber(name: string, value: unknown, least: number, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw new HttpError(400, `${name}: must be a whole number from ${least} to ${most}`);
  }
  return value;
}
