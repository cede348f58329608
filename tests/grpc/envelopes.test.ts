import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { envelope, json, slice, tasks, type Row } from './support/answers';
import { askWithin, valuesOf } from './support/ask';
import { withHostile, type Handler } from './support/hostile';
import { dataSourceFor, frameOf, namesOf, noticesOf, rowsOf, startPlugin } from './support/plugin';

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

describe('k. envelopes that are incomplete or different', () => {
  const plugin = startPlugin();
  for (const [name, shape] of Object.entries(shapes)) {
    for (const count of [400, 390, 20, 1, 0]) {
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

  for (const name of ['only last, no totals', 'no totals and no last', 'totalElements without totalPages']) {
    test(`${name}: maxRows still ends the read, with a notice`, async () => {
      await withHostile({ tasks: shaped(shapes[name], tasks(1, 400)) }, async (service) => {
        const frame = frameOf(await askWithin(plugin, dataSourceFor(service.url, { maxRows: 50 }), query, 10_000));
        assert.equal(rowsOf(frame), 50);
        assert.match(noticesOf(frame).join(), /maxRows/);
        assert.ok(service.of('tasks').length <= 12, `${service.of('tasks').length} requests`);
      });
    });
  }
});

describe('l. invalid counts in an envelope', () => {
  const plugin = startPlugin();
  const rows = tasks(1, 60);
  for (const name of ['size', 'totalElements', 'totalPages'] as const) {
    for (const [what, value] of [
      ['null', () => null],
      ['a text', () => 'x'],
      ['an object', () => ({})],
      ['with a fraction of 0', (right: number) => `${right}.0`],
      ['with an exponent', (right: number) => `${right}e0`],
    ] as const) {
      for (const nested of [false, true]) {
        test(`${name}${nested ? ' under page' : ''} is ${what}: all rows, and no other notice`, async () => {
          const handler: Handler = ({ page }, response) => {
            const { content, ...counts } = envelope(rows, page);
            const wrong = { ...counts, [name]: value(counts[name]) };
            // A number literal that JSON.stringify would not write.
            const body = JSON.stringify(nested ? { content, page: wrong } : { content, ...wrong });
            response.writeHead(200, { 'content-type': 'application/json' });
            response.end(body.replace(/"(\d+(?:\.0|e0))"/, '$1'));
          };
          await withHostile({ tasks: handler }, async (service) => {
            const frame = frameOf(await askWithin(plugin, dataSourceFor(service.url), query, 10_000));
            assert.equal(rowsOf(frame), 60);
            const isUncounted = name === 'totalElements' && !what.startsWith('with');
            assert.deepEqual(noticesOf(frame), isUncounted ? [uncountedNotice] : []);
          });
        });
      }
    }
  }
});

describe('m. fields that only the service knows, without any rows', () => {
  const plugin = startPlugin();
  const tables: Array<Record<string, unknown> & { columns?: string[] }> = [
    { queryType: 'tasks', columns: ['id', 'priority'] },
    { queryType: 'automations', columns: ['priority'] },
    { queryType: 'runners', columns: ['_id', 'priority'] },
    ...['=', '!=', '=~', '=|', '<'].map((operator) => ({
      queryType: 'tasks',
      filters: [{ key: 'priority', operator, value: '1', values: ['1'] }],
    })),
    { queryType: 'automations', filters: [{ key: 'priority', operator: '=', value: 'high' }] },
    { queryType: 'tasks', sort: { field: 'priority', order: 'desc' } },
  ];
  const grouped = [
    { queryType: 'tasks', format: 'numeric', measure: 'tasks', groupBy: ['priority'] },
    { queryType: 'automations', format: 'numeric', measure: 'taskCount', groupBy: ['label', 'priority'] },
    { queryType: 'runners', format: 'numeric', measure: 'tasks', groupBy: ['priority'] },
    {
      queryType: 'tasks',
      format: 'numeric',
      measure: 'tasks',
      filters: [{ key: 'priority', operator: '=', value: '1' }],
      groupBy: ['priority'],
    },
  ];

  for (const json of tables) {
    test(`${JSON.stringify(json)}: no rows, and no error`, async () => {
      await withHostile({}, async (service) => {
        const frame = frameOf(await askWithin(plugin, dataSourceFor(service.url), { days: 1, ...json }, 10_000));
        assert.equal(rowsOf(frame), 0);
        if (json.columns) {
          assert.deepEqual(namesOf(frame), json.columns);
        }
      });
    });
  }

  for (const json of grouped) {
    test(`${JSON.stringify(json)}: no data, and no error`, async () => {
      await withHostile({}, async (service) => {
        const frame = frameOf(await askWithin(plugin, dataSourceFor(service.url), { days: 1, ...json }, 10_000));
        assert.equal(frame.schema.meta?.type, 'numeric-wide');
        assert.deepEqual(frame.schema.fields, []);
      });
    });
  }

  test('a timeseries by such a field: typed, and no error', async () => {
    await withHostile({}, async (service) => {
      const query = { queryType: 'tasks', format: 'timeseries', measure: 'tasks', groupBy: ['priority'] };
      const frame = frameOf(await askWithin(plugin, dataSourceFor(service.url), query, 10_000));
      assert.equal(frame.schema.meta?.type, 'timeseries-wide');
    });
  });

  test('with rows, an unknown field is still a 400', async () => {
    await withHostile({ tasks: shaped(envelope, tasks(1, 3)) }, async (service) => {
      const answer = await askWithin(plugin, dataSourceFor(service.url), { ...query, columns: ['priority'] }, 10_000);
      assert.equal(answer.status, 400);
      assert.match(answer.error ?? '', /"priority"/);
    });
  });
});
