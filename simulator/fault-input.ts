import { type Fault, faultKinds, faultRoutes } from './faults';
import { HttpError } from './http-error';

/** Reads a fault as a test posts it; a 400 names what is wrong, so that a test never waits for a fault that cannot come. */
export function parseFault(input: Record<string, unknown>): Fault {
  const { route = '*', kind, status, retryAfter, delayMs, body, times, afterRequests, ...unknown } = input;
  if (Object.keys(unknown).length > 0) {
    throw new HttpError(400, `Unknown: ${Object.keys(unknown).join(', ')}`);
  }
  if (retryAfter !== undefined && typeof retryAfter !== 'number' && typeof retryAfter !== 'string') {
    throw new HttpError(400, 'retryAfter: expected seconds or an HTTP date');
  }
  return {
    route: oneOf('route', route, faultRoutes),
    kind: oneOf('kind', kind, faultKinds),
    // Of the others some have no body, and some mean nothing without more headers.
    status: status === 200 ? 200 : optionalWhole('status', status, 400, 599),
    retryAfter,
    delayMs: optionalWhole('delayMs', delayMs, 0, 3_600_000),
    body,
    times: optionalWhole('times', times, 1, Number.MAX_SAFE_INTEGER),
    afterRequests: optionalWhole('afterRequests', afterRequests, 0, Number.MAX_SAFE_INTEGER),
  };
}

/** A text of a posted JSON, or a 400 that says what is allowed. */
export function oneOf<T extends string>(name: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) {
    throw new HttpError(400, `${name}: "${value}" is none of ${allowed.join(', ')}`);
  }
  return found;
}

function optionalWhole(name: string, value: unknown, least: number, most: number): number | undefined {
  return value === undefined ? undefined : wholeNumber(name, value, least, most);
}

/** A whole number of a posted JSON, or a 400 that says what is allowed. */
export function wholeNumber(name: string, value: unknown, least: number, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw new HttpError(400, `${name}: expected a whole number from ${least} to ${most}`);
  }
  return value;
}
