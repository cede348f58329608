import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cpuSeconds } from '../../workbench/bench/measures';
import { text } from './support/answers';
import { ask } from './support/ask';
import type { Handler } from './support/hostile';
import { measured, mebibyte, mib, skip, withBoth, workUntilQuiet } from './support/peak';
import { dataSourceFor } from './support/plugin';

/** An error page with every kind of escape, as frameworks and proxies write them. */
const line =
  '<p>Error&nbsp;503: /reports%2Ftasks?days=30&amp;page=0+0 said \\u0022later\\u0022 &#8211; C:\\web\\app</p>\n';
const errorPage = `<!doctype html><html><head><title>Back at noon</title></head><body>${line.repeat(
  Math.floor((63 << 10) / line.length)
)}</body></html>`;

/** The first request, which logs in and opens connections, is not the one to measure. */
const failing = (): Handler => {
  let requests = 0;
  return (_, response) => text(response, (requests += 1) === 1 ? '{}' : errorPage, 503, 'text/html');
};

const path = 'api/v1/insights/tasks';
const get = { method: 'GET', path, url: path };

describe('c. an error page of 64 KB', { skip }, () => {
  for (const maxConcurrentRequests of [8, 32]) {
    test(`40 canceled calls of the proxy route, ${maxConcurrentRequests} at a time: within 20 MiB`, async (t) => {
      await withBoth({ tasks: failing() }, async (plugin, service) => {
        const dataSource = dataSourceFor(service.url, { maxConcurrentRequests });
        await plugin.backend.callResource(dataSource, get);
        const before = cpuSeconds(plugin.backend.pid);
        const { peak } = await measured(plugin.backend.pid, async () => {
          const calls = Array.from({ length: 40 }, () =>
            plugin.backend.callResource(dataSource, get, AbortSignal.timeout(200))
          );
          await Promise.allSettled(calls);
          await workUntilQuiet(plugin.backend.pid, 60_000);
        });
        t.diagnostic(`peak ${mib(peak)}, ${(cpuSeconds(plugin.backend.pid) - before).toFixed(2)} s of processor time`);
        assert.ok(peak <= 20 * mebibyte, `${mib(peak)} above idle`);
      });
    });
  }

  test('10 panels: within 20 MiB and a second of processor time', async (t) => {
    await withBoth({ tasks: failing() }, async (plugin, service) => {
      const dataSource = dataSourceFor(service.url);
      await plugin.backend.callResource(dataSource, get);
      const before = cpuSeconds(plugin.backend.pid);
      const { value, peak } = await measured(plugin.backend.pid, () =>
        Promise.all(
          Array.from({ length: 10 }, (_, index) => ask(plugin, dataSource, { queryType: 'tasks', days: index + 1 }))
        )
      );
      const seconds = cpuSeconds(plugin.backend.pid) - before;
      t.diagnostic(`peak ${mib(peak)}, ${seconds.toFixed(2)} s of processor time`);
      value.forEach(({ error = '' }) => assert.match(error, /503 Service Unavailable: an HTML page/));
      assert.ok(peak <= 20 * mebibyte, `${mib(peak)} above idle`);
      assert.ok(seconds <= 1, `${seconds.toFixed(2)} s`);
    });
  });
});
