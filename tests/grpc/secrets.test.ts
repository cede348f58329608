import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tokens } from '../../simulator/session';
import { resultsJson } from '../../workbench/backend/frames';
import { dataSourceFor, frameOf, startPlugin } from './support/plugin';
import { startService } from './support/service';

const key = 'demo-key';
const queries = [{ queryType: 'tasks' }, { queryType: 'automations' }, { queryType: 'runners' }, { queryType: 'x' }];

describe('secrets', () => {
  const plugin = startPlugin();
  const service = startService({ tasksTotal: 100, automations: 3, runners: 2 });
  /** Everything that the plugin returned, by any path. */
  const said: string[] = [];

  const resources = ['automations', 'runners', 'api/v2/workspace/login'];
  const proxied = 'api/v1/insights/tasks';

  const collect = async (wrongKey?: string, paths = [...resources, proxied]) => {
    const dataSource = dataSourceFor(service.url, { cacheTTL: 0 }, wrongKey ?? key);
    said.push(JSON.stringify(await plugin.backend.checkHealth(dataSource)));
    said.push(JSON.stringify(await plugin.askAll(dataSource, queries)));
    for (const path of paths) {
      const { status, headers, body } = await plugin.backend.callResource(dataSource, {
        method: 'GET',
        path,
        url: path,
      });
      said.push(JSON.stringify({ status, headers, body: body.toString() }));
    }
    said.push(await plugin.backend.collectMetrics(dataSource));
  };

  const assertKept = (secret = key) => {
    for (const [where, texts] of Object.entries({ response: said, log: plugin.lines })) {
      assert.ok(!texts.some((text) => text.includes(secret) || tokens.test(text)), `a ${where} contains a secret`);
    }
  };

  test('are in no response and no log line if everything succeeds', async () => {
    await collect();
    const { logins } = await service.client.control<{ logins: { succeeded: number } }>('GET', 'requests');
    assert.equal(logins.succeeded, 1);
    assertKept();
  });

  test('are in none if the key is wrong', async () => {
    await collect('no-such-key');
    assertKept('no-such-key');
  });

  test('are in none if tokens expire in the meantime', async () => {
    await service.expireTokens();
    await collect();
    assertKept();
  });

  for (const route of ['login', 'tasks', 'runner'] as const) {
    for (const kind of ['status', 'html', 'truncate']) {
      test(`are in none if the ${route} route responds with ${kind}`, async () => {
        await service.fault({ route, kind });
        await collect();
        await service.reset();
        assertKept();
      });
    }
  }

  test('are in no diagnostics capture, which has the requests for rows', async () => {
    const dataSource = dataSourceFor(service.url, { cacheTTL: 0, httpHeaderName1: 'X-Gateway' });
    dataSource.secureJsonData.httpHeaderValue1 = key;
    const asked = { from: Date.now() - 86_400_000, to: Date.now(), intervalMs: 60_000, maxDataPoints: 100 };
    const capture = async () => {
      const captured = [{ ...asked, refId: 'A', json: { queryType: 'tasks' } }];
      const headers = { 'X-Grafana-HAR-Capture': 'true' };
      const results = resultsJson(await plugin.backend.queryData(dataSource, captured, undefined, headers));
      const { har } = frameOf(results[`__har__${dataSource.uid}`]).schema.meta?.custom as { har: string };
      assert.match(har, /"url":"[^"]*api\/v1\/insights\/tasks/);
      assert.doesNotMatch(har, /workspace\/login/);
      said.push(har);
    };
    await capture(); // and logs in
    await service.expireTokens();
    await capture();
    await service.fault({ route: 'tasks', kind: 'status', status: 400, body: `key ${key} is not welcome` });
    await capture();
    await service.reset();
    assertKept();
  });

  // Except for the proxy route, which returns the service's own response unchanged.
  test('are in none if the service itself echoes them in an error', async () => {
    for (const body of [{ message: `key ${key} is not welcome` }, `key ${key} is not welcome`]) {
      await service.fault({ route: 'tasks', kind: 'status', status: 400, body });
      await collect(undefined, resources);
      await service.reset();
      await service.fault({ route: 'login', kind: 'status', status: 401, body });
      await collect(undefined, resources);
      await service.reset();
    }
    assertKept();
  });
});
