import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dataSourceFor, startPlugin } from './support/plugin';
import { startService } from './support/simulator';
import { Tap } from './support/tap';

const key = 'demo-key';
const queries = [{ queryType: 'tasks' }, { queryType: 'automations' }, { queryType: 'runners' }, { queryType: 'x' }];

describe('secrets', () => {
  const plugin = startPlugin();
  const service = startService({ tasksTotal: 100, automations: 3, runners: 2 });
  const tap = new Tap();
  /** Everything that came back from the plugin, whatever the way. */
  const said: string[] = [];
  before(() => tap.start(service.url));
  after(() => tap.close());

  const resources = ['automations', 'runners', 'api/v2/workspace/login'];
  const proxied = 'api/v1/insights/tasks';

  const collect = async (wrongKey?: string, paths = [...resources, proxied]) => {
    const dataSource = dataSourceFor(tap.url, { cacheTTL: 0 }, wrongKey ?? key);
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

  const assertKept = (...secrets: string[]) => {
    for (const secret of secrets) {
      assert.ok(!said.some((text) => text.includes(secret)), `an answer holds ${secret}`);
      assert.ok(!plugin.lines.some((line) => line.includes(secret)), `the log holds ${secret}`);
    }
  };

  test('stand in no answer and no log line when all goes well', async () => {
    await collect();
    assert.equal(tap.tokens.length, 1);
    assertKept(key, ...tap.tokens);
  });

  test('stand in none when the key is wrong', async () => {
    await collect('no-such-key');
    assertKept('no-such-key');
  });

  test('stand in none when tokens expire on the way', async () => {
    await service.expireTokens();
    await collect();
    assertKept(key, ...tap.tokens);
  });

  for (const route of ['login', 'tasks', 'runner'] as const) {
    for (const kind of ['status', 'html', 'shape', 'truncate', 'wrong-types']) {
      test(`stand in none when the ${route} route answers with ${kind}`, async () => {
        await service.fault({ route, kind });
        await collect();
        await service.reset();
        assertKept(key, ...tap.tokens);
      });
    }
  }

  // Not over the proxy route: what comes back there is the service's own answer as it is.
  test('stand in none when the service itself repeats them in an error', async () => {
    for (const body of [{ message: `key ${key} is not welcome` }, `key ${key} is not welcome`]) {
      await service.fault({ route: 'tasks', kind: 'status', status: 400, body });
      await collect(undefined, resources);
      await service.reset();
      await service.fault({ route: 'login', kind: 'status', status: 401, body });
      await collect(undefined, resources);
      await service.reset();
    }
    tap.echoTokens = true;
    await collect(undefined, resources);
    assertKept(key, ...tap.tokens);
  });
});
