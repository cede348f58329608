import { getDataSet, type Field } from '../../datasets/datasets';
import type { FrameJson } from '../backend/frames';
import type { SentPage } from './service';
import type { WorldRecord } from './world';

// A second reading of the service's pages, in the plainest way there is. It shares nothing with the plugin.

/** What one page says. */
export interface Reading {
  rows: WorldRecord[];
  envelope: Record<string, unknown>;
}

const isObject = (value: unknown): value is WorldRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a page, or says nothing where it is none. */
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

// Counts beyond are taken for absent, as whatever else is no whole number.
const mostRows = 100_000_000_000;
const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= mostRows;

/** Whether anything in the pages says that there are more rows than those in them. A total says more than pages do. */
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
 * The pages that a list may be taken to have. It ends with an empty page, or where a page says that it is the last, or has
 * no row that is new: nobody has to believe what was asked for beyond, in case there is more. Nothing where a page that
 * counts cannot be read.
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

/** The rows of pages, in their order. */
export const rowsOf = (readings: Reading[]): WorldRecord[] => readings.flatMap(({ rows }) => rows);

const exactTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:?\d\d)?$/;

/** Stands for a cell that nothing is claimed about. */
const anything = Symbol('anything');
/** Stands for a value that cannot be shown: a notice has to say so. */
const unfit = Symbol('unfit');

// Lone surrogates and what is no UTF-8 become U+FFFD, in numbers that differ between readers; and Arrow's reader takes a
// byte order mark at the beginning of a text for none of it.
const plainText = (text: string) =>
  Buffer.from(text)
    .toString()
    .replace(/^\ufeff/, '')
    .replace(/\ufffd+/g, '\ufffd');

function time(text: string): unknown {
  const [, , zone] = exactTime.exec(text) ?? [];
  const at = Date.parse(zone ? text : `${text}Z`);
  const isPlain = exactTime.test(text) && /^(19|20)/.test(text) && !Number.isNaN(at);
  // JavaScript takes February 30 for March 2.
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
    // A number's literal is kept, which JavaScript no longer knows.
    return typeof value === 'string' ? plainText(value) : acceptsNumber && typeof value === 'number' ? anything : unfit;
  }
  const isNumber =
    typeof value === 'number' && Number.isFinite(value) && (type === 'number' || Number.isInteger(value));
  return isNumber ? value : unfit;
}

/** The rows that count: of those with the same key the first. */
export function distinct(set: string, rows: WorldRecord[]): WorldRecord[] {
  const [key] = getDataSet(set).fields;
  const seen = new Set<unknown>();
  return rows.filter((row) => {
    // The text "7" and the number 7 are the same runner.
    const id =
      key.acceptsNumber && typeof row[key.name] === 'number' ? String(row[key.name]) : cell(row[key.name], key);
    const isNew = id === null || id === unfit || !seen.has(id);
    seen.add(id);
    return isNew;
  });
}

/** Says where a table differs from rows that the service sent; nothing where it does not. */
export function difference(set: string, rows: WorldRecord[], { schema, data }: FrameJson): string | undefined {
  const got = data.values[0]?.length ?? 0;
  if (got !== rows.length) {
    return `${got} rows instead of ${rows.length}`;
  }
  for (const field of getDataSet(set).fields) {
    const column = schema.fields.findIndex(({ name }) => name === field.name);
    const wrong = rows.findIndex((row, index) => {
      const want = cell(row[field.name], field);
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
