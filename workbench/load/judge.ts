import { fieldNames, getDataSet } from '../../schema/datasets';
import type { FrameJson, ResultJson } from '../backend/frames';
import { type Asked, bucketsOf, comparer, groupName, groups, matching, numbersOf, type Row } from '../reference';
import { type Cause, explains } from './faults';
import type { Moment } from './service';

/**
 * The outcome of an answer.
 *
 * - exact: what the service listed at one moment
 * - mixed: the service changed while a table was read: each row is as of one of the moments, and none is lost
 * - between: the service changed while numbers were read, and they are of no single moment
 * - lacking: rows are missing, as it says, because the service changed while it was read
 * - excused: an error about something that was happening at the service
 * - wrong: none of these
 */
export const outcomes = ['exact', 'mixed', 'between', 'lacking', 'excused', 'wrong'] as const;
export type Outcome = (typeof outcomes)[number];

/** An outcome, and what is wrong. */
export interface Judgement {
  outcome: Outcome;
  complaint?: string;
}

const wrong = (complaint: string): Judgement => ({ outcome: 'wrong', complaint });

/** Judges an answer by what the service listed at the moments that it can be of, at least one. */
export function judge(asked: Asked, { error, frames }: ResultJson, moments: Moment[], causes: Cause[]): Judgement {
  const { queryType, days, format } = asked.query;
  const isMoving = moments.length > 1;
  const notices = (frames[0]?.schema.meta?.notices ?? []) as Array<{ severity: string; text: string }>;
  const warnings = notices.filter(({ severity }) => severity === 'warning').map(({ text }) => text);
  if (error !== undefined && explains(causes, error)) {
    return { outcome: 'excused' };
  }
  const complaints = error === undefined ? warnings : [error];
  if (complaints.length > 0) {
    const isReason = isMoving && complaints.every((text) => text.includes('the data changed'));
    return isReason ? { outcome: 'lacking' } : wrong(`without a reason: ${complaints.join('; ')}`);
  }
  if (frames.length !== 1) {
    return wrong(`${frames.length} frames`);
  }
  const lists = moments.map(({ rows }) => rows(queryType, days));
  const fault = (of: Row[][]) => (format ? numbersFault(asked, frames[0], of[0]) : rowsFault(asked, frames[0], of));
  const faults = lists.map((list) => fault([list]));
  if (faults.includes(undefined)) {
    return { outcome: 'exact' };
  }
  if (isMoving && format) {
    return { outcome: 'between' };
  }
  const complaint = isMoving ? fault(lists) : faults[0];
  return complaint === undefined ? { outcome: 'mixed' } : wrong(complaint);
}

/**
 * Describes what is wrong with a table, or returns undefined: each row is as it was at one of the moments and there
 * once, they are in order, and no row is missing that was there at all moments.
 */
function rowsFault(asked: Asked, { schema, data }: FrameJson, moments: Row[][]): string | undefined {
  const set = getDataSet(asked.query.queryType);
  const newestFirst = { field: set.timeFields?.[0] ?? set.key, order: 'desc' } as const;
  const { sort = set.defaultSort ?? newestFirst, limit = Infinity } = asked.query;
  const { key } = set;
  const names = fieldNames(set);
  if (schema.fields.map(({ name }) => name).join() !== names.join()) {
    return `columns ${schema.fields.map(({ name }) => name).join()}`;
  }
  const shown = (data.values[0] ?? []).map((_, at) =>
    Object.fromEntries(names.map((name, column) => [name, data.values[column][at] as Row[string]]))
  );
  const matches = moments.flatMap((rows) => matching(asked, rows));
  const variants = groups(matches, (row) => row[key]);
  const found = new Set(shown.map((row) => row[key]));
  const isVariant = (row: Row) => (variant: Row) => names.every((name) => variant[name] === row[name]);
  const alien = shown.find((row) => !variants.get(row[key])?.some(isVariant(row)));
  if (alien) {
    return `row ${JSON.stringify(alien)} never existed, but ${JSON.stringify(variants.get(alien[key]))}`;
  }
  if (found.size < shown.length || shown.length > limit) {
    return `${shown.length} rows, ${found.size} of them different`;
  }
  const compare = comparer(sort);
  const astray = shown.findIndex((row, index) => index > 0 && compare(shown[index - 1], row) > 0);
  if (astray > 0) {
    return `row ${astray + 1} is not in the order ${sort.field} ${sort.order}`;
  }
  const last = shown.length === limit ? shown.at(-1) : undefined;
  const isBehind = (row: Row) => last !== undefined && compare(row, last) >= 0;
  const lost = [...variants].filter(
    ([id, versions]) => !found.has(id) && versions.length === moments.length && !versions.some(isBehind)
  );
  return lost.length > 0 ? `${lost.length} rows are missing, such as ${key} ${lost[0][0]}` : undefined;
}

/** Describes what is wrong with a number or a line, or returns undefined. */
function numbersFault(asked: Asked, { schema, data }: FrameJson, rows: Row[]): string | undefined {
  const { groupBy = [], format } = asked.query;
  const columns = schema.fields.map(({ labels }, index) => ({ labels, values: data.values[index] }));
  const times = format === 'timeseries' ? columns.shift()?.values : undefined;
  if (times && times.join() !== bucketsOf(asked).join()) {
    return `times ${times.join()}, expected ${bucketsOf(asked).join()}`;
  }
  const nameOf = (labels: Record<string, string> = {}) => groupName(groupBy.map((field) => labels[field]));
  const shown = new Map(columns.map(({ labels, values }) => [nameOf(labels), values]));
  if (shown.size === 0 && groupBy.length === 0) {
    shown.set(nameOf(), [null]); // The only number of all rows is not shown if it is null.
  }
  const expected = numbersOf(asked, rows);
  const astray = [...new Set([...shown.keys(), ...expected.keys()])].find((name) => {
    const [values, wanted] = [shown.get(name), expected.get(name)];
    return !values || !wanted || wanted.some((value, at) => !isEqual(values[at], value));
  });
  return astray && `${astray} is ${shown.get(astray)?.join()}, expected ${expected.get(astray)?.join()}`;
}

/** Sums of decimals depend slightly on their order. */
const isEqual = (one: unknown, other: number | null) =>
  one === other || (typeof one === 'number' && other !== null && Math.abs(one - other) <= 1e-9 * Math.abs(other));
