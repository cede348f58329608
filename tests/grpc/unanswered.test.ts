import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';

import { dataSourceFor, startPlugin, valuesOf } from './support/plugin';

describe('a service that does not answer', () => {
  const plugin = startPlugin();
  let service: Server;
  before(async () => {
    service = createServer((_, response) => response.destroy());
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  });
  after(() => service.close());

  test('a panel says since when, and so does the error', async () => {
    const { port } = service.address() as AddressInfo;
    const source = dataSourceFor(`http://127.0.0.1:${port}`, { cacheTTL: 0, fullReadInterval: 0 });
    const since = async () => {
      const results = await plugin.askAll(source, [
        { format: 'numeric', measure: 'tasks', days: 30 },
        { format: 'attention', groupBy: ['dataSource'], timezone: 'utc' },
      ]);
      const times = results.map(({ error = '' }) => /\(no answer since \S+ (\d\d:\d\d) UTC\)$/.exec(error)?.[1]);
      assert.equal(new Set(times).size, 1, JSON.stringify(results.map(({ error }) => error)));
      assert.deepEqual(valuesOf(results[1].frames[0], 'noAnswer'), [`No answer since ${times[0]}`]);
      return times[0];
    };
    const first = await since();
    assert.ok(first);
    assert.equal(await since(), first);
  });
});
