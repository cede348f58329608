import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FrameJson } from '../../workbench/backend/frames';
import { json, pagesOf, text, type Row } from './support/answers';
import { ask, askWithin, valuesOf } from './support/ask';
import { withHostile, type Handler } from './support/hostile';
import { measured, mebibyte, mib, skip, withBoth } from './support/peak';
import { dataSourceFor, frameOf, namesOf, noticesOf, rowsOf, startPlugin } from './support/plugin';

const tasks = { queryType: 'tasks', days: 30 };

const described = new Set(
  'id state finishStatus activityLabel repositoryLabel machineId dateLastModified dateCreation dateStartRunning'
    .concat(' processedItems failedItems totalItems')
    .split(' ')
);
const unknownOf = (frame: FrameJson) => namesOf(frame).filter((name) => !described.has(name));

/** All members of a row that are not in the specification and have a value. */
function unknownMembers(frame: FrameJson, row: number): Row {
  const columns = unknownOf(frame).map((name) => [name, valuesOf(frame, name)?.[row]]);
  return Object.fromEntries(columns.filter(([, value]) => value !== null));
}

/** Names of members that are not in the specification, in the order of their appearance. */
const unknownNames = (rows: readonly object[]) => [
  ...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => !described.has(name)))),
];

describe('c. fields that are not in the specification', { skip }, () => {
  const ownKeys = Array.from({ length: 4_000 }, (_, index) => ({ id: index + 1, [`own${index + 1}`]: index }));
  const wideRow = {
    id: 1,
    ...Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${index}`, index])),
  };

  for (const [what, rows, size] of [
    ['4,000 rows, each with its own key', ownKeys, 4_000],
    ['the same over 200 pages', ownKeys, 20],
    ['one row with 20,000 keys', [wideRow], 20],
  ] as const) {
    test(`${what}: the first 200 are columns, and a notice`, async (t) => {
      await withBoth({ tasks: pagesOf([...rows], size) }, async (plugin, service) => {
        const { value, peak } = await measured(plugin.backend.pid, () =>
          ask(plugin, dataSourceFor(service.url), tasks)
        );
        const frame = frameOf(value);
        t.diagnostic(`peak ${mib(peak)}, ${namesOf(frame).length} fields`);
        const kept = new Set(unknownOf(frame));
        assert.deepEqual(kept, new Set(unknownNames(rows).slice(0, 200)));
        assert.ok(noticesOf(frame).some((notice) => /\b200\b.*are left out/.test(notice)));
        const byId = new Map(rows.map((row) => [row.id, row]));
        valuesOf(frame, 'id')!.forEach((id, row) => {
          const { id: _, ...sent } = byId.get(Number(id))!;
          const expected = Object.entries(sent).filter(([name]) => kept.has(name));
          assert.deepEqual(unknownMembers(frame, row), Object.fromEntries(expected), `task ${id}`);
        });
        assert.ok(peak < 100 * mebibyte, `${mib(peak)} above idle`);
      });
    });
  }

  test('200 cause no notice', async () => {
    const row = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`key${index}`, index]));
    await withBoth({ tasks: pagesOf([{ id: 1, ...row }]) }, async (plugin, service) => {
      const frame = frameOf(await ask(plugin, dataSourceFor(service.url), tasks));
      assert.equal(unknownOf(frame).length, 200);
      assert.deepEqual(noticesOf(frame), []);
    });
  });
});

describe('d. more rows than needed', { skip }, () => {
  const rows = `[${'{},'.repeat(999_999)}{}]`;
  const totals = '"totalElements":1000000,"totalPages":1,"size":1000000';
  for (const [what, body, settings, query, says] of [
    ['maxRows 10', `{"content":${rows},${totals}}`, { maxRows: 10 }, tasks, /maxRows/],
    ['maxRows 10, totals first', `{${totals},"content":${rows}}`, { maxRows: 10 }, tasks, /maxRows/],
    ['maxRows 10, a bare array', rows, { maxRows: 10 }, tasks, /maxRows/],
    ['limit 10', `{"content":${rows},${totals}}`, {}, { ...tasks, limit: 10 }, undefined],
  ] as const) {
    test(`1,000,000 empty rows and ${what}: 10 rows`, async (t) => {
      await withBoth({ tasks: (_, response) => text(response, body) }, async (plugin, service) => {
        const work = () => ask(plugin, dataSourceFor(service.url, settings), query);
        const { value, peak, ms } = await measured(plugin.backend.pid, work);
        t.diagnostic(`peak ${mib(peak)}, ${ms.toFixed(0)} ms, ${mib(body.length)} sent`);
        const frame = frameOf(value);
        assert.equal(rowsOf(frame), 10);
        if (says) {
          assert.ok(
            noticesOf(frame).some((notice) => says.test(notice)),
            'a notice names the setting'
          );
        } else {
          assert.deepEqual(noticesOf(frame), []);
        }
        assert.ok(peak < 60 * mebibyte, `${mib(peak)} above idle`);
      });
    });
  }
});

describe('e. pages without rows', () => {
  const plugin = startPlugin();
  const page = Array.from({ length: 20 }, (_, index) => ({ id: index + 1 }));

  for (const [what, content, totals] of [
    ['20,000 pages, all empty', () => [], { size: 20, totalElements: 400_000, totalPages: 20_000 }],
    ['a billion pages, all empty', () => [], { size: 20, totalElements: 2e10, totalPages: 1e9 }],
    ['a billion pages of size 0', () => [], { size: 0, totalElements: 2e10, totalPages: 1e9 }],
    [
      '20,000 pages, all but the first empty',
      (n: number) => (n ? [] : page),
      { size: 20, totalElements: 400_000, totalPages: 20_000 },
    ],
  ] as const) {
    test(`${what}: the read ends, and reports the service's totals`, async (t) => {
      const handler: Handler = (request, response) => json(response, { content: content(request.page), ...totals });
      await withHostile({ tasks: handler }, async (service) => {
        const asked = askWithin(plugin, dataSourceFor(service.url), tasks, 10_000);
        const answer = await asked.catch((error: Error) => error);
        t.diagnostic(`${service.of('tasks').length} requests`);
        assert.ok(!(answer instanceof Error), 'a response within 10 s');
        const notices = noticesOf(frameOf(answer)).join('\n').replaceAll(',', '');
        assert.match(notices, /empty/i);
        assert.match(notices, new RegExp(`\\b(${totals.totalElements}|${totals.totalPages})\\b`));
        // Page 0, and the pages in flight when the first empty one arrived: with a page size, and again without one.
        assert.ok(service.of('tasks').length <= 34, `${service.of('tasks').length} requests`);
      });
    });
  }
});
