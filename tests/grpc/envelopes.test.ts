import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { envelope, json, slice, tasks, type Row } from './support/answers';
import { askWithin, valuesOf } from './support/ask';
import { withHostile, type Handler } from './support/hostile';
import { dataSourceFor, frameOf, noticesOf, rowsOf, startPlugin } from './support/plugin';

const query = { queryType: 'tasks', days: 30 };

/** Returns page `page` of `rows` in its own shape. */
type Shape = (rows: Row[], page: number) => unknown;

const lastPage = (rows: Row[]) => Math.ceil(rows.length / 20) - 1;

const shapes: Record<string, Shape> = {
  'totals under page, as in a PagedModel': (rows, page) => {
    const { content, number, size, totalElements, totalPages } = envelope(rows, page);
    return { content, page: { size, number, totalElements, totalPages } };
  },
  'totals under page, before the content': (rows, page) => {
    const { content, number, size, totalElements, totalPages } = envelope(rows, page);
    return { page: { size, number, totalElements, totalPages }, content };
  },
  'only last, no totals': (rows, page) => ({ content: slice(rows, page), last: page >= lastPage(rows) }),
  'only last and a size, no totals': (rows, page) => ({
    content: slice(rows, page),
    size: 20,
    number: page,
    last: page >= lastPage(rows),
  }),
  'totalElements without totalPages': (rows, page) => ({ content: slice(rows, page), totalElements: rows.length }),
  'totalPages without totalElements': (rows, page) => ({ content: slice(rows, page), totalPages: lastPage(rows) + 1 }),
  'a size of 1000 and pages of 20': (rows, page) => ({ ...envelope(rows, page), size: 1_000 }),
  'a size of 1000, pages of 20, and no totalPages': (rows, page) => ({
    content: slice(rows, page),
    size: 1_000,
    totalElements: rows.length,
  }),
  'a size of 1': (rows, page) => ({ ...envelope(rows, page), size: 1 }),
  'no totals and no last': (rows, page) => ({ content: slice(rows, page) }),
  'a bare array per page': (rows, page) => slice(rows, page),
};

/** Shapes whose rows can't be counted: what moved while they were read is not detected, so a notice says so. */
const uncounted = [
  'only last, no totals',
  'only last and a size, no totals',
  'totalPages without totalElements',
  'no totals and no last',
];
const uncountedNotice =
  'the service reports no total: pages were read until an empty one, and rows that moved meanwhile may be missing';

const shaped =
  (shape: Shape, rows: Row[]): Handler =>
  ({ page }, response) =>
    json(response, shape(rows, page));

describe('envelopes that are incomplete or different', () => {
  const plugin = startPlugin();
  for (const [name, shape] of Object.entries(shapes)) {
    for (const count of [400, 390, 0]) {
      test(`${name}: all ${count} rows, and no other notice`, async () => {
        await withHostile({ tasks: shaped(shape, tasks(1, count)) }, async (service) => {
          const dataSource = dataSourceFor(service.url, { maxRows: 1_000 });
          const frame = frameOf(await askWithin(plugin, dataSource, query, 10_000));
          const ids = valuesOf(frame, 'id');
          assert.deepEqual(new Set(ids), new Set(tasks(1, count).map(({ id }) => id)));
          assert.equal(ids?.length, count);
          assert.deepEqual(noticesOf(frame), uncounted.includes(name) && count > 20 ? [uncountedNotice] : []);
          // Some requests beyond the end, where only an empty page indicates it.
          const requests = service.of('tasks').length;
          assert.ok(requests <= Math.max(1, Math.ceil(count / 20)) + 9, `${requests} requests`);
        });
      });
    }
  }

  for (const [name, shape] of [
    ['a bare array', (rows: Row[]) => rows],
    ['content only', (rows: Row[]) => ({ content: rows })],
    ['content that is never the last', (rows: Row[]) => ({ content: rows, last: false })],
  ] as const) {
    test(`a route without pages that always returns ${name}: each row once, and an end`, async (t) => {
      await withHostile({ tasks: shaped(shape, tasks(1, 20)) }, async (service) => {
        const frame = frameOf(await askWithin(plugin, dataSourceFor(service.url), query, 10_000));
        t.diagnostic(`${service.of('tasks').length} requests; ${noticesOf(frame).join(' ')}`);
        assert.equal(rowsOf(frame), 20);
        assert.ok(service.of('tasks').length <= 10, `${service.of('tasks').length} requests`);
      });
    });
  }
});
