import description from './attention.json';
import { type Named } from './datasets';

/** The days that show what is usual, by default. */
export const attentionDays = description.days;

/** The reasons why an automation or a runner needs attention, in the order in which they are offered. */
export const reasons: Named[] = description.reasons;

/** How much evidence a reason needs. */
export const sensitivities: Named[] = description.sensitivities;

/** The sensitivity of a query that has none. */
export const usualSensitivity = 'usual';
