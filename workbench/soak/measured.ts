import { getDataSet, measures } from '../../datasets/datasets';
import type { QueryParts } from '../../src/query';
import type { FrameJson } from '../backend/frames';
import { type Asked, kept, keyOf, type Row } from './asked';
import { type Given, outOfBounds, type Reduction } from './bounds';

/** The numbers of a frame by the name of their group: one per bucket. */
type Shown = Map<string, Array<number | null>>;

/**
 * Describes what is wrong with the numbers of a numeric or timeseries frame, or returns undefined. With one moment,
 * each must be the only correct number; with several, one that is possible for rows that are each as they were at one
 * of them.
 *
 * @param moments what the service listed at each moment that the response can be from, at least one
 * @param incomplete the response itself says that rows are missing: any of them can be
 */
export function measuredFault(
  asked: Asked,
  frame: FrameJson,
  moments: Row[][],
  incomplete: boolean
): string | undefined {
  const buckets = bucketsOf(asked);
  const shown = asked.query.format === 'timeseries' ? seriesOf(asked, frame, buckets) : numbersOf(asked, frame);
  if (typeof shown === 'string') {
    return shown;
  }
  const groups = groupsOf(asked, moments);
  // An additional moment makes every row one that can be missing.
  const count = incomplete ? moments.length + 1 : moments.length;
  for (const name of shown.keys()) {
    if (!groups.has(name)) {
      return `group ${name} never existed`;
    }
  }
  for (const [name, group] of groups) {
    const values = shown.get(name);
    const fault = values ? valuesFault(asked, values, group, buckets, count) : absenceFault(asked, group, count);
    if (fault && (values || !incomplete)) {
      return `group ${name}: ${fault}`;
    }
  }
  return undefined;
}

function valuesFault(asked: Asked, values: Array<number | null>, { cells }: Group, buckets: number[], count: number) {
  const { reduction } = measureOf(asked.query);
  for (const [index, bucket] of buckets.entries()) {
    const expected = outOfBounds(values[index], [...(cells.get(bucket)?.values() ?? [])], count, reduction);
    if (expected !== undefined) {
      const at = bucket === 0 ? '' : ` at ${new Date(bucket).toISOString()}`;
      return `${asked.query.measure} is ${values[index]}${at}, expected ${expected}`;
    }
  }
  return undefined;
}

/** A single number that is null has no row; everything else that existed throughout is shown. */
function absenceFault({ query }: Asked, { isLasting, cells }: Group, count: number): string | undefined {
  if (query.format === 'timeseries' || (query.groupBy ?? []).length > 0) {
    return isLasting ? 'missing' : undefined;
  }
  const expected = outOfBounds(null, [...(cells.get(0)?.values() ?? [])], count, measureOf(query).reduction);
  return expected === undefined ? undefined : `missing, expected ${expected}`;
}

function numbersOf({ query: { groupBy = [], measure } }: Asked, { schema, data }: FrameJson): Shown | string {
  const names = schema.fields.map(({ name }) => name);
  if (names.length === 0) {
    return new Map();
  }
  if (names.join() !== [...groupBy, measure].join()) {
    return `fields ${names.join()}, expected ${[...groupBy, measure].join()}`;
  }
  const values = data.values[groupBy.length] as Array<number | null>;
  const shown: Shown = new Map();
  for (const [row, value] of values.entries()) {
    const name = groupName(groupBy.map((_, index) => data.values[index][row]));
    if (shown.has(name)) {
      return `group ${name} is listed twice`;
    }
    shown.set(name, [value]);
  }
  return shown;
}

function seriesOf({ query: { groupBy = [] } }: Asked, { schema, data }: FrameJson, buckets: number[]): Shown | string {
  const [times, ...fields] = schema.fields;
  if (!times) {
    return new Map();
  }
  if (times.name !== 'time' || JSON.stringify(data.values[0]) !== JSON.stringify(buckets)) {
    return `times ${JSON.stringify(data.values[0])}, expected ${JSON.stringify(buckets)}`;
  }
  const shown: Shown = new Map();
  for (const [index, { labels = {} }] of fields.entries()) {
    const name = groupName(groupBy.map((field) => labels[field]));
    if (shown.has(name)) {
      return `series ${name} is listed twice`;
    }
    shown.set(name, data.values[index + 1] as Array<number | null>);
  }
  return shown;
}

/** The rows that count for one number, by their key. */
export type Cell = Map<Row[string], Given>;

/** One group of rows over all moments: its numbers, by the start of their bucket. */
interface Group {
  /** Whether it existed at every moment. */
  isLasting: boolean;
  cells: Map<number, Cell>;
}

/** The name of a group: the values of its `groupBy` fields, with null as empty text. */
const groupName = (labels: unknown[]) => JSON.stringify(labels.map((label) => label ?? ''));

/**
 * The starts of the buckets of a timeseries, from the one that contains the start of the range; only 0 for a number.
 */
function bucketsOf({ query, from, to, intervalMs }: Asked): number[] {
  if (query.format !== 'timeseries') {
    return [0];
  }
  const first = Math.floor(from / intervalMs) * intervalMs;
  return Array.from({ length: Math.floor((to - first) / intervalMs) + 1 }, (_, index) => first + index * intervalMs);
}

/**
 * Divides the rows of each moment into groups and buckets. Without `groupBy`, there is one group, even without rows.
 */
function groupsOf(asked: Asked, moments: Row[][]): Map<string, Group> {
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

/** What a row contributes to a measure; null if it contributes nothing. */
export type Gauge = (row: Row) => number | null;

const seconds = (from: Row[string], to: Row[string]) =>
  typeof from === 'number' && typeof to === 'number' ? (to - from) / 1000 : null;

const means: Record<string, Gauge> = {
  successRate: ({ finishStatus }) => (finishStatus === null ? null : Number(finishStatus === 'SUCCESS')),
  duration: (row) => (row.finishStatus === null ? null : seconds(row.dateStartRunning, row.dateLastModified)),
  queueTime: (row) => seconds(row.dateCreation, row.dateStartRunning),
};

const sums: Record<string, Gauge> = {
  tasks: () => 1,
  failedTasks: ({ finishStatus }) => Number(finishStatus === 'FAILED'),
};

/** An independent, minimal implementation of a query's measure, according to docs/query-editor.md, "Measures". */
function measureOf({ queryType = 'tasks', measure = '' }: QueryParts): { gauge: Gauge; reduction: Reduction } {
  const set = getDataSet(queryType);
  const described = measures(set).find(({ name }) => name === measure);
  if (!described) {
    throw new Error(`The soak test uses the measure ${measure} of ${queryType}, which datasets.json does not have`);
  }
  const field: Gauge = (row) => row[measure] as number | null;
  if (queryType === 'tasks') {
    const how = measure in means ? 'mean' : 'sum';
    return { gauge: means[measure] ?? sums[measure] ?? field, reduction: { how, empty: described.empty ?? 'null' } };
  }
  const how = set.fields.find(({ name }) => name === measure)?.aggregate ?? 'sum';
  return { gauge: field, reduction: { how, empty: 'null' } };
}
