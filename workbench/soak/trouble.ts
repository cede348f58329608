import type { Fault } from '../../simulator/faults';
import { Random } from '../../simulator/random';

/** A fault of the service, and how a response can look while it is active. */
export interface Trouble extends Fault {
  /** Errors that describe it. */
  says?: RegExp;
  /** Over before the plugin gives up. */
  isTransient?: boolean;
  /** Its rows are spoiled, and a notice must say so. */
  isSpoiling?: boolean;
}

const broken = /cannot reach|connection/i;
const cut = /truncated|broke|connection/i;

const routes = ['tasks', 'automation', 'runner'] as const;

/** Over at the second or third attempt, or merely slow: the plugin tries a request four times before it gives up. */
const transient: Trouble[] = [
  { route: 'tasks', kind: 'status', status: 429, retryAfter: 1, times: 2, says: /\b429\b.*Simulated fault/ },
  { route: 'tasks', kind: 'status', status: 503, times: 2, says: /\b503\b.*Simulated fault/ },
  { route: 'automation', kind: 'status', status: 502, times: 2, says: /\b502\b.*Simulated fault/ },
  { route: 'runner', kind: 'status', status: 504, times: 1, says: /\b504\b.*Simulated fault/ },
  { route: 'tasks', kind: 'drop', times: 2, says: broken },
  { route: 'tasks', kind: 'truncate', times: 2, says: cut },
  { route: 'tasks', kind: 'delay', delayMs: 300 },
  { route: 'login', kind: 'status', status: 503, times: 1, says: /\b503\b.*Simulated fault/ },
];

/** All requests of one data route, until it is over. */
const lasting: Array<Omit<Trouble, 'route'>> = [
  { kind: 'status', status: 500, says: /\b500\b.*Simulated fault/ },
  { kind: 'status', status: 503, says: /\b503\b.*Simulated fault/ },
  { kind: 'drop', says: broken },
  { kind: 'truncate', says: cut },
  { kind: 'html', says: /Gateway|HTML/i },
  { kind: 'empty', says: /empty/ },
  { kind: 'shape', says: /rows|content/ },
  { kind: 'wrong-types', isSpoiling: true },
];

/** All faults, in an order determined by the seed; a lasting one affects one data route. */
export function troubles(seed: number, round: number): Trouble[] {
  const random = new Random(seed, 'trouble', round);
  const onRoute = lasting.map((trouble, index) => ({ ...trouble, route: routes[(index + round) % routes.length] }));
  return [...transient.map((trouble) => ({ ...trouble, isTransient: true })), ...onRoute]
    .map((trouble) => ({ trouble, rank: random.unit() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ trouble }) => trouble);
}

/** The name of a fault in a report. */
export function nameOf({ kind, status, route }: Trouble): string {
  return `${kind}${status === undefined ? '' : ` ${status}`} on ${route}`;
}

/** A cause that responses can report while it is active. */
export interface Cause extends Partial<Pick<Trouble, 'route' | 'says' | 'isTransient' | 'isSpoiling'>> {
  name: string;
  /** Only responses for the settings of this time can report it. */
  updated?: number;
}

/**
 * The errors that the causes explain. A transient fault explains one only together with another fault of its route: the
 * plugin tries a request a few times, and attempts used up by one fault are missing for the next.
 */
export function excusesOf(causes: Cause[]): RegExp[] {
  const besides = (cause: Cause) => causes.some((other) => other !== cause && other.route === cause.route);
  return causes.filter((cause) => !cause.isTransient || besides(cause)).flatMap(({ says }) => says ?? []);
}
