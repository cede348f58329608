import description from './attention.json';
import { type Named } from './datasets';

/** A reason why an automation or a runner needs attention. */
export interface Reason extends Named {
  /** The threshold that old queries have instead of its name. */
  replaces?: string;
}

/** The days that show what is usual, by default. */
export const attentionDays = description.days;

/** The reasons, in the order in which they are offered. */
export const reasons: Reason[] = description.reasons;

/** How much evidence a reason needs. */
export const sensitivities: Named[] = description.sensitivities;

/** The sensitivity of a query that has none. */
export const usualSensitivity = 'usual';
