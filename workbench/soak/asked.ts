import type { QueryParts } from '../../src/query';

/** A query as a panel or a rule saved it, with what the panel adds. */
export interface Panel {
  query: QueryParts;
  /** Length of the time range, which ends at the world's now. */
  hours: number;
  /** Width of the buckets of a timeseries, less than a day. */
  intervalMs: number;
}

/** A panel as it was asked at one time. Times in milliseconds since 1970, of the simulated world. */
export interface Asked {
  query: QueryParts;
  from: number;
  to: number;
  intervalMs: number;
}

/** A record as a frame has to show it: times in milliseconds since 1970, all else as the service sends it. */
export type Row = Record<string, string | number | null>;

const keys = { tasks: 'id', automations: 'label', runners: '_id' };

/** Name of the field that tells the rows of a data set apart. */
export function keyOf({ queryType = 'tasks' }: QueryParts): string {
  return keys[queryType];
}

/** Whether only rows inside the time range are shown: tasks that follow it, and every timeseries. */
export function followsRange({ queryType = 'tasks', days, format }: QueryParts): boolean {
  return queryType === 'tasks' && (days === undefined || format === 'timeseries');
}
