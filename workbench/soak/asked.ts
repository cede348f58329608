import { getDataSet } from '../../datasets/datasets';
import type { Filter, QueryParts, Sort } from '../../src/query';

/** A query as a panel or a rule saved it, with the properties that the panel adds. */
export interface Panel {
  query: QueryParts;
  /** Length of the time range, which ends at the world's current time. */
  hours: number;
  /** Width of the buckets of a timeseries, less than a day. */
  intervalMs: number;
}

/** A panel's query at a time. Times in milliseconds since 1970, of the simulated world. */
export interface Asked {
  query: QueryParts;
  from: number;
  to: number;
  intervalMs: number;
}

/** A record as a frame must show it: times in milliseconds since 1970, everything else as the service sends it. */
export type Row = Record<string, string | number | null>;

/** Name of the field that identifies a row of a data set. */
export function keyOf({ queryType }: QueryParts): string {
  return getDataSet(queryType).key;
}

/** Whether only rows inside the time range are shown: for tasks that follow it, and for every timeseries. */
function followsRange({ queryType = 'tasks', days, format }: QueryParts): boolean {
  return queryType === 'tasks' && (days === undefined || format === 'timeseries');
}

/**
 * The rows that match search, time range, and filters, in order. Independent of the plugin's code, so that the two can
 * disagree.
 */
export function kept({ query, from, to }: Asked, rows: Row[]): Row[] {
  const { search = '', filters = [], timeField = 'dateCreation' } = query;
  const { searchField } = getDataSet(query.queryType);
  const wanted = search.toLowerCase();
  return rows.filter((row) => {
    const time = row[timeField];
    const isInside = typeof time === 'number' && time >= from && time <= to;
    return (
      String(row[searchField]).toLowerCase().includes(wanted) &&
      (!followsRange(query) || isInside) &&
      filters.every((filter) => isMatch(filter, row[filter.key]))
    );
  });
}

function isMatch({ operator, value = '', values = [] }: Filter, cell: Row[string]): boolean {
  const equals = (text: string) =>
    cell === null ? text === '' : cell === (typeof cell === 'number' ? Number(text) : text);
  const matches = () => new RegExp(`^(?:${value})$`).test(String(cell ?? ''));
  const difference = () => (typeof cell === 'number' ? cell - Number(value) : NaN);
  switch (operator) {
    case '=':
      return equals(value);
    case '!=':
      return !equals(value);
    case '=|':
      return values.some(equals);
    case '!=|':
      return !values.some(equals);
    case '=~':
      return matches();
    case '!~':
      return !matches();
    case '<':
      return difference() < 0;
    case '<=':
      return difference() <= 0;
    case '>':
      return difference() > 0;
    case '>=':
      return difference() >= 0;
  }
}

/** Compares two rows. Null comes last in either order, and equal rows keep their order. */
export function comparer({ field, order }: Sort): (a: Row, b: Row) => number {
  const direction = order === 'asc' ? 1 : -1;
  return (a, b) => {
    const [left, right] = [a[field], b[field]];
    if (left === null || right === null) {
      return Number(left === null) - Number(right === null);
    }
    return left < right ? -direction : left > right ? direction : 0;
  };
}
