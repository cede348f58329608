import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backend } from './backend/host';
import { check } from './check';
import { parseOptions } from './options';
import { openService } from './service';

test('npm start -- --check: the health check and every data set of the simulator succeed', async () => {
  const service = await openService(parseOptions([], {}));
  const backend = await Backend.start();
  try {
    assert.ok(await check(backend, service.dataSource));
  } finally {
    await backend.stop();
    await service.close();
  }
});
