import { fieldNames, getDataSet } from '../../datasets/datasets';
import type { FrameJson, ResultJson } from '../backend/frames';
import { type Asked, bucketsOf, comparer, groupName, groups, matching, numbersOf, type Row } from '../reference';
import { type Cause, explains } from './faults';
import type { Moment } from './service';

/**
 * The outcome of an answer.
 *
 * - exact: what the service listed at one moment
 * - mixed: the service changed while it was read: each row and each number is as of one of the moments
 * - between: the same, but a number is of no single moment, because its rows are of several
 * - lacking: rows are missing, as it says, because the service changed while it was read
 * - excused: an error or a warning about something that was happening at the service
 * - wrong: none of these
 */
export const outcomes = ['exact', 'mixed', 'between', 'lacking', 'excused', 'wrong'] as const;
export type Outcome = (typeof outcomes)[number];

/** An outcome, and what is wrong. */
export interface Judgement {
  outcome: Outcome;
  complaint?: string;
}

/** What is wrong with a frame. */
interface Difference {
  text: string;
  /** A number of a group that is right otherwise. */
  isNumber?: true;
}

/** Judges an answer by what the service listed at the moments that it can be of, at least one. */
export function judge(asked: Asked, answer: ResultJson, moments: Moment[], causes: Cause[]): Judgement {
  const isMoving = moments.length > 1;
  const { error, frames } = answer;
  if (error !== undefined) {
    if (isMoving && /the rule needs all rows, but .* the data changed/.test(error)) {
      return { outcome: 'lacking' };
    }
    return explains(causes, error) ? { outcome: 'excused' } : wrong(`an error without a reason: ${error}`);
  }
  if (frames.length !== 1) {
    return wrong(`${frames.length} frames`);
  }
  const [frame] = frames;
  const warnings = warningsOf(frame);
  if (warnings.length > 0 && causes.some(({ spoils }) => spoils)) {
    return { outcome: 'excused' };
  }
  if (warnings.length > 0) {
    const isReason = isMoving && warnings.every((text) => text.includes('the data changed'));
    return isReason ? { outcome: 'lacking' } : wrong(`a warning without a reason: ${warnings.join('; ')}`);
  }
  const lists = moments.map(({ rows }) => rows(asked.query.queryType, asked.query.days));
  const compare = asked.query.format ? numbersDiffer : rowsDiffer;
  const differences = lists.map((list) => compare(asked, frame, [list]));
  if (differences.includes(undefined)) {
    return { outcome: 'exact' };
  }
  const difference = isMoving ? compare(asked, frame, lists) : differences[0];
  if (difference === undefined) {
    return { outcome: 'mixed' };
  }
  return isMoving && difference.isNumber ? { outcome: 'between' } : wrong(difference.text);
}

const wrong = (complaint: string): Judgement => ({ outcome: 'wrong', complaint });

function warningsOf({ schema }: FrameJson): string[] {
  const notices = (schema.meta?.notices ?? []) as Array<{ severity?: string; text: string }>;
  return notices.filter(({ severity }) => severity === 'warning').map(({ text }) => text);
}

/** The order of rows that no query sorts. */
const orders = {
  tasks: { field: 'dateCreation', order: 'desc' },
  automations: { field: 'label', order: 'asc' },
  runners: { field: 'tasks', order: 'desc' },
} as const;

/**
 * Describes what is wrong with a table, or returns undefined: each row is as it was at one of the moments and there once,
 * they are in order, and no row is missing that was there at all moments.
 */
function rowsDiffer(asked: Asked, { schema, data }: FrameJson, moments: Row[][]): Difference | undefined {
  const { queryType = 'tasks', sort = orders[queryType], limit = Infinity } = asked.query;
  const set = getDataSet(queryType);
  const names = fieldNames(set);
  if (schema.fields.map(({ name }) => name).join() !== names.join()) {
    return { text: `columns ${schema.fields.map(({ name }) => name).join()}` };
  }
  const shown = (data.values[0] ?? []).map((_, at) =>
    Object.fromEntries(names.map((name, column) => [name, data.values[column][at] as Row[string]]))
  );
  const variants = groups(
    moments.flatMap((rows) => matching(asked, rows)),
    (row) => row[set.key]
  );
  const isSame = (one: Row, other: Row) => names.every((name) => one[name] === other[name]);
  const compare = comparer(sort);
  const found = new Set(shown.map((row) => row[set.key]));
  const alien = shown.find((row) => !variants.get(row[set.key])?.some((variant) => isSame(variant, row)));
  if (alien) {
    const real = variants.get(alien[set.key]) ?? [];
    return {
      text: [`row ${JSON.stringify(alien)} never existed`, ...real.map((row) => JSON.stringify(row))].join('; but '),
    };
  }
  if (found.size < shown.length || shown.length > limit) {
    return { text: `${shown.length} rows, ${found.size} of them different` };
  }
  const astray = shown.findIndex((row, index) => index > 0 && compare(shown[index - 1], row) > 0);
  if (astray > 0) {
    return { text: `row ${astray + 1} is not in the order ${sort.field} ${sort.order}` };
  }
  const last = shown.length === limit ? shown.at(-1)! : undefined;
  const lost = [...variants].filter(
    ([key, versions]) =>
      !found.has(key) &&
      versions.length === moments.length &&
      (!last || versions.every((row) => compare(row, last) < 0))
  );
  return lost.length > 0 ? { text: `${lost.length} rows are missing, such as ${set.key} ${lost[0][0]}` } : undefined;
}

/** Describes what is wrong with a number or a line, or returns undefined: each value is of one of the moments. */
function numbersDiffer(asked: Asked, frame: FrameJson, moments: Row[][]): Difference | undefined {
  const { groupBy = [], format } = asked.query;
  const expected = moments.map((rows) => numbersOf(asked, rows));
  const fields = frame.schema.fields.map((field, index) => ({ ...field, values: frame.data.values[index] }));
  const buckets = bucketsOf(asked);
  if (format === 'timeseries' && fields.length > 0 && fields[0].values.join() !== buckets.join()) {
    return { text: `times ${fields[0].values.join()}, expected ${buckets.join()}` };
  }
  const shown = new Map(
    fields
      .slice(format === 'timeseries' ? 1 : 0)
      .map(({ labels, values }) => [groupName(groupBy.map((field) => labels?.[field])), values])
  );
  for (const name of new Set([...shown.keys(), ...expected.flatMap((numbers) => [...numbers.keys()])])) {
    const versions = expected.flatMap((numbers) => (numbers.has(name) ? [numbers.get(name)!] : []));
    const values = shown.get(name) ?? (groupBy.length === 0 ? [null] : undefined);
    if (values === undefined ? versions.length === moments.length : versions.length === 0) {
      return { text: `group ${name} ${values ? 'never existed' : 'is missing'}` };
    }
    const off = values?.findIndex((value, at) => !versions.some((version) => isEqual(value, version[at]))) ?? -1;
    if (off >= 0) {
      const possible = versions.map((version) => version[off]).join(' or ');
      return { text: `${name} is ${values![off]} at ${off}, expected ${possible}`, isNumber: true };
    }
  }
  return undefined;
}

/** Sums of decimals depend slightly on their order. */
const isEqual = (one: unknown, other: number | null) =>
  one === other || (typeof one === 'number' && other !== null && Math.abs(one - other) <= 1e-9 * Math.abs(other));
