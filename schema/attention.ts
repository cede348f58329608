import description from './attention.json';
import { type Named } from './datasets';

/** A kind of reasons why an automation or a runner needs attention. Its name is also that of its threshold in a query. */
export interface Reason extends Named {
  /** Describes the threshold. */
  description: string;
  /** The default. */
  threshold: number;
  unit?: string;
}

/** The days that show what is usual, by default. */
export const attentionDays = description.days;

/** The reasons, in the order in which they are offered. */
export const reasons: Reason[] = description.reasons;
