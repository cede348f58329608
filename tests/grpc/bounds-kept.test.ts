import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { pagesOf, prepared, wide } from './support/answers';
import { ask, count, countOf, metric } from './support/ask';
import type { Handler, Hostile } from './support/hostile';
import { measured, mebibyte, mib, residentMemory, skip, withBoth } from './support/peak';
import { dataSourceFor, frameOf, type Plugin } from './support/plugin';

/** Bytes of the heap in use, after uncached reads have made the garbage collector run. */
async function liveHeap(plugin: Plugin, { url }: Hostile): Promise<number> {
  const uncached = dataSourceFor(`${url}/churn`, { cacheTTL: 0 });
  for (let times = 0; times < 40; times += 1) {
    await ask(plugin, uncached, { queryType: 'tasks', days: 1 });
  }
  // The collector runs again when the heap has doubled since its last run (Go's default).
  return (await metric(plugin, uncached, 'go_memstats_next_gc_bytes')) / 2;
}

describe('f. what is kept in memory', { skip }, () => {
  const churned = wide(1, 2_000, 200);
  const churning: (handler: Handler) => Handler = (handler) => (request, response) =>
    request.url.pathname.startsWith('/churn') ? pagesOf(churned, 2_000)(request, response) : handler(request, response);

  test('3,000 searches without results: the second half needs no more memory', async (t) => {
    await withBoth({ tasks: churning(pagesOf([])) }, async (plugin, service) => {
      const dataSource = dataSourceFor(service.url, { cacheTTL: 3_600 });
      const search = async (from: number, to: number) => {
        for (let first = from; first < to; first += 10) {
          const ten = Array.from({ length: 10 }, (_, index) => ({
            queryType: 'automations',
            days: 30,
            search: `${first + index}-${'s'.repeat(2_000)}`,
          }));
          (await plugin.askAll(dataSource, ten)).forEach(frameOf);
        }
        return liveHeap(plugin, service);
      };
      const idle = await search(0, 10);
      const half = await search(10, 1_500);
      const resident = residentMemory(plugin.backend.pid);
      const full = await search(1_500, 3_000);
      t.diagnostic(
        `heap ${mib(idle)}, ${mib(half)}, ${mib(full)} (resident +${mib(residentMemory(plugin.backend.pid) - resident)})`
      );
      assert.equal(service.of('automation').length, 3_000);
      assert.ok(full - half < (half - idle) / 2 + 2 * mebibyte, `${mib(full - half)} more after ${mib(half - idle)}`);
    });
  });

  test('expired reads are dropped, even if nobody requests them', async (t) => {
    const handler = prepared(wide(1, 10_000, 300), 10_000);
    await withBoth({ tasks: churning(handler) }, async (plugin, service) => {
      const dataSource = dataSourceFor(service.url, { cacheTTL: 2 });
      const idle = await liveHeap(plugin, service);
      for (let days = 1; days <= 15; days += 1) {
        assert.equal(await countOf(plugin, dataSource, days), 10_000);
      }
      const full = await metric(plugin, dataSource, 'go_memstats_heap_inuse_bytes');
      await sleep(3_000);
      // A data source in use gets other queries in any case.
      frameOf(await ask(plugin, dataSource, { queryType: 'runners', days: 1 }));
      const expired = await liveHeap(plugin, service);
      t.diagnostic(`heap ${mib(idle)}, ${mib(full)} in use when full, ${mib(expired)} after all has expired`);
      assert.ok(expired - idle < 15 * mebibyte, `${mib(expired - idle)} of the expired reads are kept`);
    });
  });

  test('large reads: no more than the documented 128 MiB', async (t) => {
    const handler = prepared(wide(1, 10_000, 400), 10_000);
    await withBoth({ tasks: churning(handler) }, async (plugin, service) => {
      const dataSource = dataSourceFor(service.url, { cacheTTL: 3_600 });
      const idle = await liveHeap(plugin, service);
      for (let days = 1; days <= 60; days += 1) {
        assert.equal(await countOf(plugin, dataSource, days), 10_000);
      }
      const kept = (await liveHeap(plugin, service)) - idle;
      t.diagnostic(`${mib(kept)} kept, ${mib(residentMemory(plugin.backend.pid))} resident`);
      assert.ok(kept < (128 + 32) * mebibyte, `${mib(kept)} kept`);
      assert.ok(kept > 32 * mebibyte, 'something is kept');
    });
  });
});

describe('g. reads in flight', { skip }, () => {
  test('300 different queries at once: all are answered, within 450 MiB', async (t) => {
    await withBoth({ tasks: prepared(wide(1, 1_600, 1_000), 1_400) }, async (plugin, service) => {
      const dataSource = dataSourceFor(service.url, { cacheTTL: 0 });
      await countOf(plugin, dataSource, 301);
      const work = () => Promise.all(Array.from({ length: 300 }, (_, days) => countOf(plugin, dataSource, days + 1)));
      const { value, peak, ms } = await measured(plugin.backend.pid, work);
      t.diagnostic(`peak ${mib(peak)}, ${ms.toFixed(0)} ms, ${mib(300 * 1_600 * 1_000)} of text sent`);
      assert.deepEqual(new Set(value), new Set([1_600]));
      assert.ok(peak < 450 * mebibyte, `${mib(peak)} above idle`);
    });
  });

  test('16 reads of two large pages each: all are answered, none waits for another forever', async (t) => {
    // 40 MiB per page: six such reads are nearly all that fit in flight, and each needs as much again.
    await withBoth({ tasks: prepared(wide(1, 80, mebibyte), 40) }, async (plugin, service) => {
      const dataSource = dataSourceFor(service.url, { cacheTTL: 0, timeout: 120 });
      const work = () => Promise.all(Array.from({ length: 16 }, (_, days) => countOf(plugin, dataSource, days + 1)));
      const { value, peak, ms } = await measured(plugin.backend.pid, work);
      t.diagnostic(`peak ${mib(peak)}, ${ms.toFixed(0)} ms`);
      assert.deepEqual(new Set(value), new Set([80]));
      assert.ok(peak < 768 * mebibyte, `${mib(peak)} above idle`);
    });
  });

  test('a waiting caller leaves when its context ends, and nothing is read for it afterwards', async () => {
    // A first page of 40 MiB is aborted and read again when there is room for it: by one read at a time.
    let open = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const pages = prepared(wide(1, 80, mebibyte), 40);
    const handler: Handler = async (request, response) => {
      if (request.page > 0) {
        await opened;
      }
      return pages(request, response);
    };
    await withBoth({ tasks: handler }, async (plugin, service) => {
      const dataSource = dataSourceFor(service.url, { cacheTTL: 0, timeout: 120, maxConcurrentRequests: 32 });
      const held = Array.from({ length: 12 }, (_, days) => countOf(plugin, dataSource, days + 1));
      await sleep(3_000);
      const cancelled = () => metric(plugin, dataSource, 'insights_queries_failed_total', 'reason="cancelled"');
      const before = await cancelled();
      await assert.rejects(ask(plugin, dataSource, { ...count, days: 99 }, { signal: AbortSignal.timeout(1_000) }));
      await sleep(1_000);
      assert.equal((await cancelled()) - before, 1, 'the backend has dropped it');
      open();
      assert.deepEqual(new Set(await Promise.all(held)), new Set([80]));
      const asked = service.of('tasks').filter(({ url }) => url.searchParams.get('days') === '99');
      assert.ok(asked.length <= 1, 'it has waited, and nothing was read for it afterwards');
    });
  });
});
