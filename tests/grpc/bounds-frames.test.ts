import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DataSource } from '../../workbench/backend/wire';
import { pagesOf, prepared, wide } from './support/answers';
import { ask, count, countOf, valuesOf } from './support/ask';
import { Hostile } from './support/hostile';
import { measured, mebibyte, mib, skip, withBoth, workUntilQuiet } from './support/peak';
import { dataSourceFor, frameOf, noticesOf, startPlugin } from './support/plugin';

describe('h. cells of a frame', { skip }, () => {
  test('1,000 series of 10,000 points: at most 1,000,000 cells, and a notice', async (t) => {
    const to = Math.floor(Date.now() / 60_000) * 60_000;
    const from = to - 10_000 * 60_000;
    const rows = Array.from({ length: 1_000 }, (_, index) => ({
      id: index + 1,
      activityLabel: `label-${index}`,
      dateCreation: new Date(from + index * 500_000 + 1_000).toISOString(),
    }));
    await withBoth({ tasks: pagesOf(rows, 1_000) }, async (plugin, service) => {
      const query = { queryType: 'tasks', format: 'timeseries', measure: 'tasks', groupBy: ['activityLabel'] };
      const work = () => ask(plugin, dataSourceFor(service.url), query, { from, to, intervalMs: 60_000 });
      const { value, peak, ms } = await measured(plugin.backend.pid, work);
      const frame = frameOf(value);
      const [time, ...series] = frame.data.values;
      t.diagnostic(`peak ${mib(peak)}, ${ms.toFixed(0)} ms, ${series.length} series × ${time.length} points`);
      const sum = series.flat().reduce<number>((total, cell) => total + Number(cell), 0);
      assert.equal(series.length, 1_000);
      assert.equal(sum, 1_000, 'every task is in one of the buckets');
      assert.ok(series.length * time.length <= 1_000_000, `${series.length * time.length} cells`);
      assert.ok(noticesOf(frame).some((notice) => /\b1000000 cells/.test(notice)));
      assert.ok(peak < 350 * mebibyte, `${mib(peak)} above idle`);
    });
  });
});

describe('i. expensive filters', { skip }, () => {
  const plugin = startPlugin();
  const service = new Hostile({ tasks: prepared(wide(1, 100_000, 300), 10_000) });
  let dataSource: DataSource;
  const query = { ...count, days: 30 };
  const filtered = (key: string, operator: string, values: string[]) => ({
    ...query,
    filters: [{ key, operator, value: values[0], values }],
  });

  before(async () => {
    await service.start();
    dataSource = dataSourceFor(service.url, { cacheTTL: 3_600, maxRows: 200_000 });
    // Once, so that the following queries only filter and don't read.
    assert.equal(await countOf(plugin, dataSource, 30), 100_000);
  });
  after(() => service.close());

  for (const [key, operator, values, rows] of [
    ['repositoryLabel', '=|', (n: number) => `repo-${n * 25}`, 4_000],
    ['repositoryLabel', '!=|', (n: number) => `repo-${n * 25}`, 96_000],
    ['id', '=|', (n: number) => `${n * 25}`, 4_000],
  ] as const) {
    test(`${key} ${operator} with 5,000 values over 100,000 rows takes less than 3 s`, async (t) => {
      const five = Array.from({ length: 5_000 }, (_, index) => values(index + 1));
      const { value, ms } = await measured(plugin.backend.pid, () =>
        ask(plugin, dataSource, filtered(key, operator, five))
      );
      t.diagnostic(`${ms.toFixed(0)} ms`);
      assert.equal(valuesOf(frameOf(value), 'tasks')?.[0], rows);
      assert.ok(ms < 3_000, `${ms.toFixed(0)} ms`);
    });
  }

  // Last: a backend that ignores the context is busy with these for a minute.
  for (const pattern of ['(?:.{0,30}){0,33}x', '(.*a){12}x']) {
    test(`=~ ${pattern} over 100,000 rows: the work ends soon after its context`, async (t) => {
      const asked = ask(plugin, dataSource, filtered('activityLabel', '=~', [pattern]), {
        signal: AbortSignal.timeout(200),
      });
      // A pattern can also be refused immediately because of its size.
      const answer = await asked.catch(() => undefined);
      const { seconds, quiet } = await workUntilQuiet(plugin.backend.pid, 6_000);
      t.diagnostic(
        `${seconds.toFixed(2)} s of work after the end, ${answer ? (answer.error ?? 'answered') : 'cancelled'}`
      );
      assert.ok(
        quiet && seconds < 2,
        `${seconds.toFixed(2)} s of work for nobody${quiet ? '' : ', and still running'}`
      );
    });
  }
});
