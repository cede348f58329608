import type { Context } from 'hono';

import { HttpError } from './http-error';

/** The JSON object that a request carries, or a 400 that says what was expected. */
export async function objectOf(c: Context, expected: string): Promise<Record<string, unknown>> {
  const body: unknown = await c.req.json().catch(() => null);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new HttpError(400, `Expected a JSON object with ${expected}`);
  }
  return { ...body };
}
