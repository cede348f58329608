import type { Fault, FaultKind } from '../../simulator/faults';

/** What an answer can be about: a fault of the service, or a new key. */
export interface Cause {
  name: string;
  fault?: Fault;
  /** Errors about it. */
  says?: RegExp;
  /** Only answers for the settings of this time can be about it. */
  updated?: number;
  /** In milliseconds of `performance.now()`. */
  from: number;
  until: number;
}

/** Lasting faults, each followed by one that is over at the second or third attempt, or merely slow. */
export const faults: Fault[] = [
  { route: 'tasks', kind: 'status', status: 500 },
  { route: 'tasks', kind: 'status', status: 429, retryAfter: 1, times: 2 },
  { route: 'automation', kind: 'drop' },
  { route: 'automation', kind: 'status', status: 502, times: 2 },
  { route: 'tasks', kind: 'truncate' },
  { route: 'tasks', kind: 'drop', times: 2 },
  { route: 'runner', kind: 'html' },
  { route: 'login', kind: 'status', status: 503, times: 1 },
  { route: 'automation', kind: 'status', status: 200, body: '' },
  { route: 'tasks', kind: 'delay', delayMs: 300 },
  { route: 'tasks', kind: 'status', status: 200, body: { ok: true } },
  { route: 'tasks', kind: 'truncate', times: 2 },
];

/** The errors about a fault; one that only takes time causes none. */
const errors: Partial<Record<FaultKind, RegExp>> = {
  status: /Simulated fault|empty|rows|content/,
  drop: /cannot reach|connection/i,
  truncate: /truncated|broke|connection/i,
  html: /Gateway|HTML/i,
};

/** A fault that begins now. */
export function causeOf(fault: Fault): Cause {
  const name = `${fault.kind} ${fault.status ?? ''} on ${fault.route}`;
  return { name, fault, says: errors[fault.kind], from: performance.now(), until: Infinity };
}

/**
 * Whether a cause explains an error. A few failures in a row do so only together with a lasting fault of the route: the
 * plugin tries a request four times, and attempts that one fault has used up are missing for the next.
 */
export function explains(causes: Cause[], error: string): boolean {
  const lasts = (route?: string) => causes.some(({ fault }) => fault?.route === route && fault?.times === undefined);
  return causes.some(({ says, fault }) => says?.test(error) && lasts(fault?.route));
}
