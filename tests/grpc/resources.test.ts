import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { dataSourceFor, startPlugin } from './support/plugin';
import { dataSets, login, readAll } from './support/reference';
import { frozen, startService } from './support/simulator';

const proxied = ['api/v1/insights/tasks', 'api/v1/insights/automation', 'api/v1/insights/runner'];

describe('resources', () => {
  const plugin = startPlugin();
  const service = startService({ frozen, tasksTotal: 100, automations: 25, runners: 7 });
  beforeEach(() => service.reset());

  const call = (url: string, method = 'GET', headers = {}) => {
    const [path] = url.split('?');
    return plugin.backend.callResource(dataSourceFor(service.url), { method, path, url, headers });
  };
  const get = async (url: string) => {
    const { status, body } = await call(url);
    assert.equal(status, 200, body.toString());
    return JSON.parse(body.toString()) as Array<{ value: string; text: string }>;
  };

  test('automations: label and name of each', async () => {
    const records = await readAll(service.url, dataSets[1]);
    const options = await get('automations');
    assert.deepEqual(
      new Map(options.map(({ value, text }) => [value, text])),
      new Map(records.map(({ label, name }) => [label, name]))
    );
  });

  test('runners: the ID of each', async () => {
    const records = await readAll(service.url, dataSets[2]);
    const ids = (await get('runners')).map(({ value }) => value);
    assert.deepEqual(new Set(ids), new Set(records.map(({ _id }) => _id)));
  });

  test('values: each value of a field once, without null', async () => {
    const records = await readAll(service.url, dataSets[0]);
    const values = (await get('values?queryType=tasks&field=finishStatus')).map(({ value }) => value);
    const expected = new Set(records.map(({ finishStatus }) => finishStatus).filter((status) => status !== null));
    assert.deepEqual(new Set(values), expected);
    assert.equal(values.length, expected.size);
  });

  for (const [url, says] of [
    ['values?queryType=robots&field=x', /"robots"/],
    ['values?queryType=tasks&field=colour', /"colour"/],
    ['automations?days=0', /days/],
  ] as const) {
    test(`${url} is a 400 that names it`, async () => {
      const { status, body } = await call(url);
      assert.equal(status, 400);
      assert.match(JSON.parse(body.toString()).message, says);
    });
  }

  for (const path of proxied) {
    test(`${path} is returned as the service sends it`, async () => {
      const direct = await fetch(`${service.url}/${path}`, { headers: await login(service.url) });
      const { status, headers, body } = await call(path);
      assert.equal(status, 200);
      assert.equal(body.toString(), await direct.text());
      assert.match(String(headers['Content-Type'] ?? headers['content-type']), /application\/json/);
    });
  }

  test('the proxy route forwards the query, and no header of the caller', async () => {
    await call('api/v1/insights/tasks?page=2&days=7', 'GET', {
      'x-secret': 'mine',
      cookie: 'session=1',
      token: 'forged',
    });
    const { requests } = await service.requests();
    const { path, headers } = requests.at(-1)!;
    assert.match(path, /page=2/);
    assert.match(path, /days=7/);
    assert.ok(!headers.includes('x-secret') && !headers.includes('cookie'));
  });

  for (const path of [
    'api/v2/workspace/login',
    'api/v1/insights',
    'api/v1/insights/tasks/1',
    'api/v1/insights/other',
    'api/v1/insights/../../v2/workspace/login',
    'api/v1/insights/tasks/../automation',
    'api/v1/insights/%2e%2e/%2e%2e/v2/workspace/login',
    'api/v1/insights//tasks',
    'simulator/requests',
    '',
    '..',
  ]) {
    test(`"${path}" is refused, and nothing is sent`, async () => {
      const { status } = await call(path);
      assert.ok(status === 404 || status === 405, `status ${status}`);
      assert.equal((await service.requests()).total, 0);
    });
  }

  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']) {
    test(`${method} is refused, and nothing is sent`, async () => {
      for (const path of ['automations', ...proxied]) {
        assert.equal((await call(path, method)).status, 405);
      }
      assert.equal((await service.requests()).total, 0);
    });
  }
});
