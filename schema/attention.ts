import description from './attention.json';
import { type Named } from './datasets';

/** A reason why an automation or a runner needs attention. A query sets its threshold, which it describes, by its name. */
export interface Reason extends Named {
  /** The default. */
  threshold: number;
  unit?: string;
}

/** The days that show what is usual, by default. */
export const attentionDays = description.days;

/** The reasons, in the order in which they are offered. */
export const reasons: Reason[] = description.reasons;
