import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dataSourceFor, startPlugin } from './support/plugin';
import { Service } from './support/simulator';

interface Case {
  name: string;
  url?: (url: string) => string;
  jsonData?: Record<string, unknown>;
  key?: string;
  /** What the message must name. */
  says: RegExp;
}

const cases: Case[] = [
  { name: 'no URL', url: () => '', says: /url.*empty.*https:\/\//i },
  { name: 'an empty key', key: '', says: /key.*empty/i },
  { name: 'pages of 2001 rows', jsonData: { pageSize: 2001 }, says: /pageSize.*2001.*0 to 2000/i },
];

describe('invalid settings', () => {
  const plugin = startPlugin();
  const service = new Service();
  before(() => service.start());
  after(() => service.close());

  for (const { name, url = (same: string) => same, jsonData, key, says } of cases) {
    test(`${name}: Save & test and every query name the setting, and nothing is sent`, async () => {
      const dataSource = dataSourceFor(url(service.url), jsonData, key);

      const { status, message } = await plugin.backend.checkHealth(dataSource);
      assert.equal(status, 'ERROR');
      assert.match(message, says);

      for (const answer of await plugin.askAll(dataSource, [{ queryType: 'tasks' }, { queryType: 'runners' }])) {
        assert.equal(answer.status, 400);
        assert.match(answer.error ?? '', says);
        assert.equal(answer.errorSource, 'downstream');
        assert.deepEqual(answer.frames, []);
      }

      const resource = await plugin.backend.callResource(dataSource, {
        ...{ method: 'GET', path: 'automations', url: 'automations' },
      });
      assert.equal(resource.status, 400);
      assert.match(JSON.parse(resource.body.toString()).message, says);

      assert.equal((await service.requests()).total, 0);
    });
  }

  test('numbers and switches can be text, as in a provisioning file', async () => {
    const numbers = { timeout: '5', maxRows: '1000', cacheTTL: '0', pageSize: '100', fullReadInterval: '60' };
    const dataSource = dataSourceFor(service.url, { ...numbers, incrementalQuerying: 'false' });
    assert.equal((await plugin.backend.checkHealth(dataSource)).status, 'OK');
  });
});
