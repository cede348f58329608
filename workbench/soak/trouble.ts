import type { Fault } from '../../simulator/faults';
import { Random } from '../../simulator/random';

/** A fault of the service, and what an answer may be while it is on. */
export interface Trouble extends Fault {
  /** Errors that say what happened. */
  says?: RegExp;
  /** Over before the plugin gives up. */
  isPassing?: boolean;
  /** Its rows are spoiled, which a notice has to say. */
  isSpoiling?: boolean;
}

const broken = /cannot reach|connection/i;
const cut = /truncated|broke|connection/i;

const routes = ['tasks', 'automation', 'runner'] as const;

/** Over at the second try or the third, or merely slow: the plugin tries a request four times before it gives up. */
const passing: Trouble[] = [
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

/** All faults, in an order that the seed gives; a lasting one hits one data route. */
export function troubles(seed: number, round: number): Trouble[] {
  const random = new Random(seed, 'trouble', round);
  const onRoute = lasting.map((trouble, index) => ({ ...trouble, route: routes[(index + round) % routes.length] }));
  return [...passing.map((trouble) => ({ ...trouble, isPassing: true })), ...onRoute]
    .map((trouble) => ({ trouble, place: random.unit() }))
    .sort((a, b) => a.place - b.place)
    .map(({ trouble }) => trouble);
}

/** How a fault is called in a report. */
export function nameOf({ kind, status, route }: Trouble): string {
  return `${kind}${status === undefined ? '' : ` ${status}`} on ${route}`;
}

/** Something at the service that answers may tell of while it goes on. */
export interface Cause extends Partial<Pick<Trouble, 'route' | 'says' | 'isPassing' | 'isSpoiling'>> {
  name: string;
  /** Only answers under the settings of this time can tell of it. */
  updated?: number;
}

/**
 * The errors that the causes explain. A passing fault explains one only beside another fault of its route: the plugin tries a
 * request a few times, and what one fault has used up of them is missing against the next.
 */
export function excusesOf(causes: Cause[]): RegExp[] {
  const besides = (cause: Cause) => causes.some((other) => other !== cause && other.route === cause.route);
  return causes.filter((cause) => !cause.isPassing || besides(cause)).flatMap(({ says }) => says ?? []);
}
