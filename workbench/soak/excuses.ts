import type { Trouble } from './trouble';

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
