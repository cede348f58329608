import type { FrameJson } from '../backend/frames';
import type { Asked, Row } from './asked';
import { outOfBounds } from './bounds';
import { bucketsOf, type Group, groupName, groupsOf } from './groups';
import { measureOf } from './measures';

/** The numbers of a frame by the name of their group: one for each bucket. */
type Shown = Map<string, Array<number | null>>;

/**
 * What is wrong with the numbers of a numeric or timeseries frame, or nothing. With one moment each has to be the one right
 * number; with several, one that rows can give of which each is as it was at one of them.
 *
 * @param moments what the service listed at each moment that the answer can come from, at least one
 * @param incomplete the answer itself says that rows are missing: any of them may be
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
  // More moments than there are make every row one that may be missing.
  const count = incomplete ? moments.length + 1 : moments.length;
  for (const name of shown.keys()) {
    if (!groups.has(name)) {
      return `group ${name} was never there`;
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

/** A lone number that is null has no row of its own; all else that was there all the time is shown. */
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
      return `group ${name} comes twice`;
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
      return `series ${name} comes twice`;
    }
    shown.set(name, data.values[index + 1] as Array<number | null>);
  }
  return shown;
}
