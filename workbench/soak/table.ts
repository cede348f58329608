import { fieldNames, getDataSet } from '../../datasets/datasets';
import type { FrameJson } from '../backend/frames';
import { type Asked, comparer, kept, keyOf, type Row } from './asked';
import { serviceSort } from './reference';

/**
 * Describes what is wrong with a table, or returns undefined.
 *
 * With one moment, the table must be equal to what the service listed then, row by row in its order. With several,
 * pages can be from different ones: each row must be as it was at one of the moments, without duplicates, and a row
 * that existed at all of them must be present.
 *
 * @param moments what the service listed at each moment that the response can be from, at least one
 * @param incomplete the response itself says that rows are missing
 */
export function tableFault(asked: Asked, frame: FrameJson, moments: Row[][], incomplete: boolean): string | undefined {
  const { query } = asked;
  const names = query.columns ?? fieldNames(getDataSet(query.queryType));
  const shown = frame.schema.fields.map(({ name }) => name);
  if (shown.join() !== names.join()) {
    return `columns ${shown.join()}, expected ${names.join()}`;
  }
  const rows = rowsOf(frame, names);
  if (query.limit !== undefined && rows.length > query.limit) {
    return `${rows.length} rows, the limit is ${query.limit}`;
  }
  const lists = moments.map((listed) => kept(asked, listed));
  return lists.length === 1 && !incomplete
    ? differsFrom(asked, rows, lists[0], names)
    : isNoMixOf(asked, rows, lists, names, incomplete);
}

function rowsOf({ data: { values } }: FrameJson, names: string[]): Row[] {
  return (values[0] ?? []).map((_, row) =>
    Object.fromEntries(names.map((name, index) => [name, values[index][row] as Row[string]]))
  );
}

const isSame = (one: Row, other: Row, names: string[]) => names.every((name) => one[name] === other[name]);
const textOf = (row: Row, names: string[]) => JSON.stringify(names.map((name) => row[name]));

function differsFrom({ query }: Asked, rows: Row[], list: Row[], names: string[]): string | undefined {
  const sorted = query.sort && !serviceSort(query) ? [...list].sort(comparer(query.sort)) : list;
  const expected = sorted.slice(0, query.limit);
  const wrong = expected.findIndex((row, index) => rows[index] && !isSame(row, rows[index], names));
  if (wrong >= 0) {
    return `row ${wrong + 1} is ${textOf(rows[wrong], names)}, expected ${textOf(expected[wrong], names)}`;
  }
  return rows.length === expected.length ? undefined : `${rows.length} rows, expected ${expected.length}`;
}

function isNoMixOf({ query }: Asked, rows: Row[], lists: Row[][], names: string[], incomplete: boolean) {
  const key = keyOf(query);
  const variants = new Map<unknown, Row[]>();
  for (const row of lists.flat()) {
    const known = variants.get(row[key]);
    if (known) {
      known.push(row);
    } else {
      variants.set(row[key], [row]);
    }
  }
  const found = new Set<unknown>();
  for (const row of rows) {
    if (found.has(row[key])) {
      return `${key} ${row[key]} is listed twice`;
    }
    found.add(row[key]);
    const known = variants.get(row[key]) ?? [];
    if (!known.some((variant) => isSame(variant, row, names))) {
      return `row ${textOf(row, names)} never existed${known.map((variant) => `; ${textOf(variant, names)} did`).join('')}`;
    }
  }
  if (query.sort && !serviceSort(query)) {
    const compare = comparer(query.sort);
    const astray = rows.findIndex((row, index) => index > 0 && compare(rows[index - 1], row) > 0);
    if (astray > 0) {
      return `row ${astray + 1} is not in the order ${query.sort.field} ${query.sort.order}`;
    }
  }
  if (incomplete || rows.length === query.limit) {
    return undefined;
  }
  const lost = [...variants].filter(([id, known]) => known.length === lists.length && !found.has(id));
  return lost.length === 0
    ? undefined
    : `${lost.length} of the rows that existed throughout are missing, including ${key} ${lost[0][0]}`;
}
