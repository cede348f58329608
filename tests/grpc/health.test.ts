import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { beforeEach, describe, test } from 'node:test';
import { dataSourceFor, startPlugin } from './support/plugin';
import { startService } from './support/simulator';

/** An address on which nothing listens. */
async function deadUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

describe('save & test', () => {
  const plugin = startPlugin();
  const service = startService({ tasksTotal: 1_234, automations: 3, runners: 2 });
  beforeEach(() => service.reset());

  const health = (url: string, jsonData = {}, key?: string) =>
    plugin.backend.checkHealth(dataSourceFor(url, jsonData, key));

  test('reports the organization and the number of its tasks', async () => {
    const { status, message, details } = await health(service.url);
    assert.equal(status, 'OK');
    assert.match(message, /"acme"/);
    assert.match(message, /1,234 tasks/);
    const { organization, tasks } = details as Record<string, unknown>;
    assert.deepEqual([organization, tasks], ['acme', 1_234]);
  });

  test('accepts a base URL with a trailing slash', async () => {
    assert.equal((await health(`${service.url}/`)).status, 'OK');
  });

  test('a wrong key: the service’s own message, and what to check', async () => {
    const { status, message } = await health(service.url, {}, 'no-such-key');
    assert.equal(status, 'ERROR');
    assert.match(message, /Login/);
    assert.match(message, /Invalid login or key/);
    assert.match(message, /check the login and key/i);
    assert.equal((await service.requests()).logins.total, 1);
  });

  test('a wrong organization: the service’s own message, and what to check', async () => {
    const { status, message } = await health(service.url, { organization: 'globex' });
    assert.equal(status, 'ERROR');
    assert.match(message, /No access to this organization/);
    assert.match(message, /check the organization/i);
  });

  test('an unreachable server: says so, and names the host', async () => {
    const url = await deadUrl();
    const { status, message } = await health(url);
    assert.equal(status, 'ERROR');
    assert.match(message, /refused/);
    assert.ok(message.includes(new URL(url).host), message);
  });

  test('a host that does not exist: names it', async () => {
    const { status, message } = await health('http://insights.invalid');
    assert.equal(status, 'ERROR');
    assert.match(message, /insights\.invalid/);
    assert.match(message, /DNS/);
  });

  test('https for a server that uses http: names TLS and the host', async () => {
    const { status, message } = await health(service.url.replace('http:', 'https:'));
    assert.equal(status, 'ERROR');
    assert.match(message, /TLS/);
    assert.ok(message.includes(new URL(service.url).host), message);
  });

  test('a service that takes too long: names the timeout', async () => {
    await service.fault({ route: 'login', kind: 'delay', delayMs: 5_000 });
    const { status, message } = await health(service.url, { timeout: 1 });
    assert.equal(status, 'ERROR');
    assert.match(message, /timeout/i);
    assert.match(message, /1s/);
  });

  for (const [route, step] of [
    ['login', /^Login failed/],
    ['tasks', /reading tasks failed/],
  ] as const) {
    for (const kind of ['html', 'truncate', 'empty', 'shape']) {
      test(`${kind} from the ${route} route: an error that names the step, no panic`, async () => {
        await service.fault({ route, kind });
        const { status, message } = await health(service.url);
        assert.equal(status, 'ERROR');
        assert.match(message, step);
        assert.match(message, kind === 'truncate' ? /closed the connection|expected/ : /expected|missing/);
      });
    }
  }

  test('a page of a proxy: shows its beginning', async () => {
    await service.fault({ route: 'tasks', kind: 'html' });
    assert.match((await health(service.url)).message, /Gateway/);
  });
});
