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
  { name: 'a URL without http', url: (url) => url.replace('http://', 'ftp://'), says: /url.*http/i },
  { name: 'a URL that is only a host', url: () => 'company.example.com', says: /url.*http/i },
  { name: 'credentials in the URL', url: (url) => url.replace('//', '//me:hunter2@'), says: /url.*credentials/i },
  { name: 'a query string in the URL', url: (url) => `${url}?a=1`, says: /url.*query string/i },
  { name: 'an empty login', jsonData: { login: '' }, says: /login.*empty/i },
  { name: 'a login of spaces', jsonData: { login: '  ' }, says: /login.*empty/i },
  { name: 'an empty key', key: '', says: /key.*empty/i },
  { name: 'a timeout of 0', jsonData: { timeout: 0 }, says: /timeout.*0.*must be/i },
  { name: '33 requests at once', jsonData: { maxConcurrentRequests: 33 }, says: /maxConcurrentRequests.*33.*1 to 32/i },
  { name: 'a negative cache time', jsonData: { cacheTTL: -1 }, says: /cacheTTL.*-1/i },
  { name: 'zero rows at most', jsonData: { maxRows: 0 }, says: /maxRows.*0/i },
  { name: 'pages of 2001 rows', jsonData: { pageSize: 2001 }, says: /pageSize.*2001.*0 to 2000/i },
  {
    name: 'a switch that is text',
    jsonData: { incrementalQuerying: 'no' },
    says: /incrementalQuerying.*no.*true or false/i,
  },
  { name: 'a negative interval', jsonData: { fullReadInterval: -1 }, says: /fullReadInterval.*-1.*0 to 86400/i },
  { name: 'a runners path without a slash', jsonData: { runnersPath: 'runner' }, says: /runnersPath.*"runner"/i },
  { name: 'a runners path with ..', jsonData: { runnersPath: '/api/../x' }, says: /runnersPath/i },
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

  test('several invalid settings are named at once', async () => {
    const { message } = await plugin.backend.checkHealth(dataSourceFor('', { login: '' }, ''));
    assert.match(message, /url/i);
    assert.match(message, /login/i);
    assert.match(message, /key/i);
  });

  test('a password in the URL is never repeated', async () => {
    const { message } = await plugin.backend.checkHealth(dataSourceFor('http://me:hunter2@127.0.0.1:1'));
    assert.doesNotMatch(message, /hunter2/);
  });

  test('numbers and switches can be text, as in a provisioning file', async () => {
    const numbers = { timeout: '5', maxRows: '1000', cacheTTL: '0', pageSize: '100', fullReadInterval: '60' };
    const dataSource = dataSourceFor(service.url, { ...numbers, incrementalQuerying: 'false' });
    assert.equal((await plugin.backend.checkHealth(dataSource)).status, 'OK');
  });
});
