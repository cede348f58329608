import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, test } from 'node:test';
import { dataSourceFor, frameOf, startPlugin } from './support/plugin';
import { frozen, startService } from './support/simulator';

/** Twenty queries with twenty distinct reads. */
const twenty = Array.from({ length: 20 }, (_, index) => ({ queryType: 'automations', days: index + 1 }));

describe('session and shared reads', () => {
  const plugin = startPlugin();
  const service = startService({ frozen, tasksTotal: 200, automations: 5, runners: 5, latency: 20 });
  beforeEach(() => service.reset());

  test('one login serves twenty queries at once', async () => {
    const answers = await plugin.askAll(dataSourceFor(service.url), twenty);
    answers.forEach(frameOf);
    const { logins } = await service.requests();
    assert.equal(logins.total, 1);
  });

  test('no more requests are in flight than allowed', async () => {
    const dataSource = dataSourceFor(service.url, { maxConcurrentRequests: 3 });
    (await plugin.askAll(dataSource, twenty)).forEach(frameOf);
    assert.ok((await service.requests()).maxInFlight <= 3);
  });

  test('changed settings discard earlier reads', async () => {
    const dataSource = dataSourceFor(service.url);
    await plugin.ask(dataSource, { queryType: 'tasks', days: 30 });
    await plugin.ask({ ...dataSource, updated: dataSource.updated + 1 }, { queryType: 'tasks', days: 30 });
    const { byRoute, logins } = await service.requests();
    assert.equal(byRoute.tasks, 20);
    assert.equal(logins.total, 2);
  });

  test('expired tokens: one more login for all waiting queries, and all return rows', async () => {
    const dataSource = dataSourceFor(service.url, { cacheTTL: 0 });
    frameOf(await plugin.ask(dataSource, { queryType: 'runners', days: 1 }));
    await service.expireTokens();
    await service.reset();
    (await plugin.askAll(dataSource, twenty)).forEach(frameOf);
    assert.equal((await service.requests()).logins.total, 1);
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

  test('every request has a user agent, and only token and organization are added', async () => {
    frameOf(await plugin.ask(dataSourceFor(service.url), { queryType: 'runners', days: 30 }));
    const { requests } = await service.requests();
    const data = requests.find(({ path }) => path.includes('/runner'));
    assert.match(data?.userAgent ?? '', /\w/);
    assert.ok(data?.headers.includes('token') && data.headers.includes('organization'));
  });
});
