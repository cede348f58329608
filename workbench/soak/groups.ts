import { type Asked, keyOf, type Row } from './asked';
import type { Given } from './bounds';
import { measureOf } from './measures';
import { kept } from './rows';

/** The rows that count for one number, by their key. */
export type Cell = Map<Row[string], Given>;

/** One group of rows over all moments: its numbers, by the start of their bucket. */
export interface Group {
  /** Whether it was there at every moment. */
  isLasting: boolean;
  cells: Map<number, Cell>;
}

/** The name of a group: the values of its `groupBy` fields, null being empty text. */
export const groupName = (labels: unknown[]) => JSON.stringify(labels.map((label) => label ?? ''));

/** The beginnings of the buckets of a timeseries, from the one that holds the start of the range on; 0 alone for a number. */
export function bucketsOf({ query, from, to, intervalMs }: Asked): number[] {
  if (query.format !== 'timeseries') {
    return [0];
  }
  const first = Math.floor(from / intervalMs) * intervalMs;
  return Array.from({ length: Math.floor((to - first) / intervalMs) + 1 }, (_, index) => first + index * intervalMs);
}

/** Parts the rows of each moment into groups and buckets. Without `groupBy` there is one group, rows or not. */
export function groupsOf(asked: Asked, moments: Row[][]): Map<string, Group> {
  const { groupBy = [], timeField = 'dateCreation', format } = asked.query;
  const { gauge } = measureOf(asked.query);
  const key = keyOf(asked.query);
  const groups = new Map<string, Group>();
  const rowsOfGroup = new Map<string, Map<Row[string], number>>();
  const groupNamed = (name: string) => getOrMake(groups, name, () => ({ isLasting: false, cells: new Map() }));
  if (groupBy.length === 0) {
    groupNamed(groupName([])).isLasting = true;
  }
  for (const listed of moments) {
    for (const row of kept(asked, listed)) {
      const name = groupName(groupBy.map((field) => row[field]));
      const bucket = format === 'timeseries' ? bucketOf(Number(row[timeField]), asked.intervalMs) : 0;
      const cell = getOrMake(groupNamed(name).cells, bucket, (): Cell => new Map());
      getOrMake(cell, row[key], (): Given => []).push(gauge(row));
      const seen = getOrMake(rowsOfGroup, name, () => new Map<Row[string], number>());
      seen.set(row[key], (seen.get(row[key]) ?? 0) + 1);
    }
  }
  for (const [name, seen] of rowsOfGroup) {
    groups.get(name)!.isLasting ||= [...seen.values()].includes(moments.length);
  }
  return groups;
}

function bucketOf(time: number, intervalMs: number): number {
  return Math.floor(time / intervalMs) * intervalMs;
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  if (!map.has(key)) {
    map.set(key, make());
  }
  return map.get(key)!;
}
