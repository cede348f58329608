import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TaskRecord } from '../../simulator/reports';
import { TASKS } from '../../simulator/testing';
import { dataSourceFor, frameOf, startPlugin } from './support/plugin';
import { frozen, startService } from './support/service';

describe('rows say which workspace they belong to', () => {
  const plugin = startPlugin();
  const north = startService({ frozen, organization: 'north', seed: 1, tasksTotal: 300, runners: 3 });
  const south = startService({ frozen, organization: 'south', seed: 2, tasksTotal: 500, runners: 5 });
  const day = 86_400_000;
  const range = { from: Date.parse(frozen) - 20 * day, to: Date.parse(frozen) };
  const groupBy = ['organizationLabel', 'dataSource'];

  test('the numbers of rules are labeled, each with those of its own service', async () => {
    for (const [service, organizationLabel] of [[north, 'north'] as const, [south, 'south'] as const]) {
      const source = dataSourceFor(service.url);
      const labels = { organizationLabel, dataSource: source.name };
      const tasks = { format: 'numeric', measure: 'failedTasks', days: 30, groupBy };
      const runners = { queryType: 'runners', format: 'numeric', measure: 'tasks', groupBy };
      const attention = { format: 'attention', groupBy };
      const [failed, sum, concerns] = await plugin.askAll(source, [tasks, runners, attention], range, {
        FromAlert: 'true',
      });
      const { client } = service;
      await client.login();
      const rows = await client.all<TaskRecord>(`${TASKS}?days=30`);
      const value = rows.filter((row) => row.finishStatus === 'FAILED' || row.state === 'TIMEOUT').length;
      assert.deepEqual(numberOf(frameOf(failed)), { labels, value });
      assert.deepEqual(numberOf(frameOf(sum)).labels, labels);
      assert.deepEqual(numberOf(frameOf(concerns)).labels, labels);
    }
  });

  test('the setting Organization says it, too', async () => {
    const source = dataSourceFor(north.url, { organization: 'north' });
    const [result] = await plugin.askAll(source, [{ columns: ['organizationLabel'], limit: 1 }], range);
    assert.deepEqual(frameOf(result).data.values, [['north']]);
  });

  test('a filter on another organization leaves nothing, also without an automation that needs attention', async () => {
    const filters = [{ key: 'organizationLabel', operator: '=', value: 'north' }];
    const counted = { format: 'numeric', measure: 'tasks', days: 30, filters };
    for (const [service, value] of [[north, 300] as const, [south, 0] as const]) {
      const [result] = await plugin.askAll(dataSourceFor(service.url), [counted], range);
      assert.equal(numberOf(frameOf(result)).value, value);
    }
  });
});

/** The only number of a frame, with its labels. */
function numberOf({ schema, data }: ReturnType<typeof frameOf>) {
  assert.equal(schema.fields.length, 1);
  return { labels: schema.fields[0].labels, value: data.values[0][0] };
}
