import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, test } from 'node:test';
import { dataSourceFor, startPlugin } from './support/plugin';
import { frozen, startService } from './support/simulator';

describe('the life of a data source and of a query', () => {
  const plugin = startPlugin();
  const service = startService({ frozen, tasksTotal: 200, automations: 5, runners: 5, latency: 20 });
  beforeEach(() => service.reset());

  test('changed settings discard earlier reads', async () => {
    const dataSource = dataSourceFor(service.url);
    await plugin.ask(dataSource, { queryType: 'tasks', days: 30 });
    await plugin.ask({ ...dataSource, updated: dataSource.updated + 1 }, { queryType: 'tasks', days: 30 });
    const { byRoute, logins } = await service.requests();
    assert.equal(byRoute.tasks, 20);
    assert.equal(logins.total, 2);
  });

  test('canceling the only caller stops the read, and is not logged as an error', async () => {
    const logged = plugin.lines.length;
    const dataSource = dataSourceFor(service.url, { maxConcurrentRequests: 1 });
    await service.fault({ route: 'tasks', kind: 'delay', delayMs: 200 });
    const leave = new AbortController();
    const to = Date.now();
    const query = { refId: 'A', json: { queryType: 'tasks', days: 30 }, from: 0, to, intervalMs: 1, maxDataPoints: 1 };
    const asked = assert.rejects(plugin.backend.queryData(dataSource, [query], leave.signal));
    await sleep(500);
    leave.abort();
    await asked;
    await sleep(300);
    const { byRoute } = await service.requests();
    await sleep(600);
    assert.ok(byRoute.tasks! < 10, `${byRoute.tasks} of 10 pages were requested`);
    assert.equal((await service.requests()).byRoute.tasks, byRoute.tasks);
    const lines = plugin.lines.slice(logged);
    assert.ok(lines.some((line) => /status=cancelled|"status":"cancelled"/.test(line)));
    assert.deepEqual(
      lines.filter((line) => /"@level":"error"|level=error|\[ERROR\]/i.test(line)),
      []
    );
  });
});
