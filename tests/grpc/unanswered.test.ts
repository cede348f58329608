import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withHostile } from './support/hostile';
import { dataSourceFor, startPlugin, valuesOf } from './support/plugin';

const plugin = startPlugin();

test('a panel says since when a service does not answer, and so does the error', () =>
  withHostile({ login: (response) => response.destroy() }, async (url) => {
    const source = dataSourceFor(url, { cacheTTL: 0, fullReadInterval: 0 });
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
  }));
