import { getDataSet, type DataSet, type Field } from '../../datasets/datasets';
import type { FrameJson } from '../backend/frames';
import type { SentPage } from './service';
import type { WorldRecord } from './world';

// An independent, minimal reader of the service's pages. It shares nothing with the plugin.

/** The contents of a page. */
export interface Reading {
  rows: WorldRecord[];
  envelope: Record<string, unknown>;
}

const isObject = (value: unknown): value is WorldRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a page, or returns undefined if it is not one. */
export function readPage({ body }: SentPage): Reading | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
  const rows = isObject(answer) ? answer.content : answer;
  const envelope = isObject(answer) ? answer : {};
  return Array.isArray(rows) && rows.every(isObject) ? { rows, envelope } : undefined;
}

// Larger counts are treated as absent, like anything that is not a whole number.
const mostRows = 100_000_000_000;
const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= mostRows;

/** Whether anything in the pages indicates more rows than they contain. A total is more reliable than pages. */
export function saysMore(readings: Reading[]): boolean {
  const rows = rowsOf(readings).length;
  const said = readings.flatMap(({ envelope }) => [envelope, ...(isObject(envelope.page) ? [envelope.page] : [])]);
  const totals = said.map(({ totalElements }) => totalElements).filter(isCount);
  const pages = said.map(({ totalPages }) => totalPages).filter(isCount);
  const last = readings.at(-1);
  return (
    totals.some((total) => total > rows) ||
    (totals.length === 0 && pages.some((count) => count > readings.length)) ||
    (last?.envelope.last === false && last.rows.length > 0)
  );
}

/**
 * The pages that a list can consist of. It ends with an empty page, with a page that says it is the last, or with one
 * that has no new row: extra pages that were requested just in case can be ignored. Undefined if a required page is
 * unreadable.
 */
export function endings(set: string, pages: SentPage[]): Reading[][] {
  const possible: Reading[][] = [];
  const readings: Reading[] = [];
  for (const page of pages) {
    const reading = readPage(page);
    if (reading === undefined) {
      return possible;
    }
    const before = distinct(set, rowsOf(readings)).length;
    readings.push(reading);
    const isOld = distinct(set, rowsOf(readings)).length === before;
    if (isOld || reading.envelope.last === true) {
      possible.push([...readings]);
    }
    if (reading.rows.length === 0) {
      return possible;
    }
  }
  return [...possible, readings];
}

/** The rows of pages, in order. */
export const rowsOf = (readings: Reading[]): WorldRecord[] => readings.flatMap(({ rows }) => rows);

const exactTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:?\d\d)?$/;

/** A cell that is not checked. */
const anything = Symbol('anything');
/** A value that can't be shown: a notice must say so. */
const unfit = Symbol('unfit');

// Readers replace lone surrogates and invalid UTF-8 with different numbers of U+FFFD, and Arrow's reader drops a byte
// order mark at the beginning of a text.
const plainText = (text: string) =>
  Buffer.from(text)
    .toString()
    .replace(/^\ufeff/, '')
    .replace(/\ufffd+/g, '\ufffd');

function time(text: string): unknown {
  const [, , zone] = exactTime.exec(text) ?? [];
  const at = Date.parse(zone ? text : `${text}Z`);
  const isPlain = exactTime.test(text) && /^(19|20)/.test(text) && !Number.isNaN(at);
  // JavaScript reads February 30 as March 2.
  return isPlain && new Date(Date.parse(`${text.slice(0, 10)}T00:00:00Z`)).getUTCDate() === Number(text.slice(8, 10))
    ? at
    : anything;
}

function cell(value: unknown, { type, acceptsNumber }: Field): unknown {
  if (value === null || value === undefined) {
    return null;
  }
  if (type === 'time') {
    return typeof value === 'string' ? time(value) : unfit;
  }
  if (type === 'string') {
    // The plugin keeps the literal of a number, which JavaScript no longer has.
    return typeof value === 'string' ? plainText(value) : acceptsNumber && typeof value === 'number' ? anything : unfit;
  }
  const isNumber =
    typeof value === 'number' && Number.isFinite(value) && (type === 'number' || Number.isInteger(value));
  return isNumber ? value : unfit;
}

/** The value that a cell must have. The rate of an automation or runner without tasks says nothing, and is null. */
function shownValue(row: WorldRecord, field: Field, { countField }: DataSet): unknown {
  const isIdle = field.rate && countField !== undefined && row[countField] === 0;
  return isIdle ? null : cell(row[field.name], field);
}

/** Removes duplicates: of the rows with the same key, the last one counts, in the place of the first. */
export function distinct(set: string, rows: WorldRecord[]): WorldRecord[] {
  const [key] = getDataSet(set).fields;
  const versions = new Map<unknown, WorldRecord>();
  for (const row of rows) {
    // The text "7" and the number 7 are the same runner.
    const id =
      key.acceptsNumber && typeof row[key.name] === 'number' ? String(row[key.name]) : cell(row[key.name], key);
    versions.set(id === null || id === unfit ? Symbol('no key') : id, row);
  }
  return [...versions.values()];
}

/** Describes how a table differs from the rows that the service sent; undefined if it doesn't. */
export function difference(set: string, rows: WorldRecord[], { schema, data }: FrameJson): string | undefined {
  const got = data.values[0]?.length ?? 0;
  if (got !== rows.length) {
    return `${got} rows instead of ${rows.length}`;
  }
  const dataSet = getDataSet(set);
  for (const field of dataSet.fields) {
    const column = schema.fields.findIndex(({ name }) => name === field.name);
    const wrong = rows.findIndex((row, index) => {
      const want = shownValue(row, field, dataSet);
      const shown = data.values[column]?.[index];
      return want !== anything && want !== (typeof shown === 'string' ? plainText(shown) : shown);
    });
    if (wrong >= 0) {
      const shown = data.values[column]?.[wrong];
      return `${field.name} of row ${wrong} is ${JSON.stringify(shown)} for ${JSON.stringify(rows[wrong][field.name])}`;
    }
  }
  const known = new Set(schema.fields.map(({ name }) => plainText(name)));
  const lost = rows.flatMap(Object.keys).find((name) => !known.has(plainText(name)));
  return lost === undefined ? undefined : `the field ${JSON.stringify(lost)} is lost`;
}
