import type { Fault } from '../../simulator/faults';

/** What an answer can be about: a fault of the service, or a new key. */
export interface Cause {
  name: string;
  route?: Fault['route'];
  /** Errors about it. */
  says?: RegExp;
  /** It is over before the plugin gives up. */
  isTransient?: boolean;
  /** It spoils rows, and a warning must say so. */
  spoils?: boolean;
  /** Only answers for the settings of this time can be about it. */
  updated?: number;
  /** In milliseconds of `performance.now()`. */
  from: number;
  until: number;
}

/** A fault of the service, and how answers can look while it is active. */
export type Trouble = Fault & Pick<Cause, 'says' | 'isTransient' | 'spoils'>;

const broken = /cannot reach|connection/i;
const cut = /truncated|broke|connection/i;

/** Over at the second or third attempt, or merely slow: the plugin tries a request four times. */
const transient: Trouble[] = [
  { route: 'tasks', kind: 'status', status: 429, retryAfter: 1, times: 2, says: /\b429\b.*Simulated fault/ },
  { route: 'automation', kind: 'status', status: 502, times: 2, says: /\b502\b.*Simulated fault/ },
  { route: 'tasks', kind: 'drop', times: 2, says: broken },
  { route: 'tasks', kind: 'truncate', times: 2, says: cut },
  { route: 'tasks', kind: 'delay', delayMs: 300 },
  { route: 'login', kind: 'status', status: 503, times: 1, says: /\b503\b.*Simulated fault/ },
];

/** All requests of a route, until it is over. */
const lasting: Trouble[] = [
  { route: 'tasks', kind: 'status', status: 500, says: /\b500\b.*Simulated fault/ },
  { route: 'automation', kind: 'drop', says: broken },
  { route: 'tasks', kind: 'truncate', says: cut },
  { route: 'runner', kind: 'html', says: /Gateway|HTML/i },
  { route: 'automation', kind: 'empty', says: /empty/ },
  { route: 'tasks', kind: 'shape', says: /rows|content/ },
  { route: 'tasks', kind: 'wrong-types', spoils: true },
];

/** All faults, lasting and transient ones in turn. */
export const troubles: Trouble[] = lasting.flatMap((trouble, index) =>
  index < transient.length ? [trouble, { ...transient[index], isTransient: true }] : [trouble]
);

/** The name of a fault in a report. */
export const nameOf = ({ kind, status, route }: Fault) => `${kind}${status ? ` ${status}` : ''} on ${route}`;

/**
 * Whether a cause explains an error. A transient fault does so only together with a lasting one of its route: the
 * attempts that one fault has used up are missing for the next.
 */
export function explains(causes: Cause[], error: string): boolean {
  return causes.some(
    ({ says, isTransient, route }) =>
      says?.test(error) && (!isTransient || causes.some((other) => !other.isTransient && other.route === route))
  );
}
