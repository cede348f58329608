import assert from 'node:assert/strict';
import { test } from 'node:test';

import { resultsJson } from './backend/frames';
import { Backend } from './backend/host';
import { parseOptions } from './options';
import { openService } from './service';

test('Due today of the workbench shows one that is done, and one that is late', async () => {
  const service = await openService(parseOptions([], {}));
  const backend = await Backend.start();
  try {
    const range = { from: Date.now() - 86_400_000, to: Date.now(), intervalMs: 60_000, maxDataPoints: 1_000 };
    const query = { refId: 'A', json: { queryType: 'tasks', format: 'deadlines' }, ...range };
    const { A: answer } = resultsJson(await backend.queryData(service.dataSource, [query]));
    const { schema, data } = answer.frames[0];
    const states = data.values[schema.fields.findIndex(({ name }) => name === 'state')];
    assert.ok(states.includes('done') && states.includes('late'), `${states}`);
  } finally {
    await backend.stop();
    await service.close();
  }
});
