import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataSets } from '../../schema/datasets';
import { check } from '../../workbench/check';
import { dataSourceFor, startPlugin } from './support/plugin';
import { startService } from './support/service';

const plugin = startPlugin();
const service = startService({ tasksTotal: 20, automations: 5, runners: 5 });

test('npm start -- --check queries every data set', async ({ mock }) => {
  const { mock: printed } = mock.method(console, 'log', () => undefined);
  assert.ok(await check(plugin.backend, dataSourceFor(service.url)));
  const lines = printed.calls.map(({ arguments: [line] }) => String(line));
  assert.deepEqual(
    dataSets.filter(({ name }) => !lines.some((line) => line.startsWith(`ok      ${name}`))),
    []
  );
});
