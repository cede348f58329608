import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dataSets } from '../../schema/datasets';
import { matching, readAll } from '../../workbench/reference';
import { dataSourceFor, frameOf, startPlugin } from './support/plugin';
import { frozen, startService } from './support/simulator';

const hourMs = 3_600_000;

describe('a query', () => {
  const plugin = startPlugin();
  const service = startService({ frozen, tasksTotal: 399, automations: 21, runners: 25 });

  for (const { name, fields } of dataSets) {
    test(`of ${name} returns one table with every field, typed`, async () => {
      const frame = frameOf(await plugin.ask(dataSourceFor(service.url), { queryType: name, days: 30 }));
      assert.equal(frame.schema.refId, 'A');
      assert.equal(frame.schema.meta?.type, 'table');
      assert.deepEqual(
        frame.schema.fields.map((field) => [field.name, field.type]),
        fields.map((field) => [field.name, field.type === 'integer' ? 'number' : field.type])
      );
      for (const { config } of frame.schema.fields) {
        assert.ok(config?.description, 'every field has a description');
      }
    });
  }

  test('reports requests without secrets, pages, rows, bytes, and time', async () => {
    const { meta } = frameOf(await plugin.ask(dataSourceFor(service.url), { queryType: 'tasks', days: 30 })).schema;
    assert.match(String(meta?.executedQueryString), /GET .*\/api\/v1\/insights\/tasks\?.*days=30/);
    assert.doesNotMatch(String(meta?.executedQueryString), /demo-key|token/i);
    const stats = meta?.stats as Array<{ displayName: string; value: number }>;
    const value = (name: RegExp) => stats.find(({ displayName }) => name.test(displayName))?.value;
    assert.equal(value(/pages/i), 20);
    assert.equal(value(/rows/i), 399);
    assert.equal(value(/requests/i), 20);
    assert.ok(value(/bytes/i)! > 10_000);
    assert.ok(value(/time/i)! > 0);
  });

  test('without days follows the time range', async () => {
    const to = Date.parse(frozen);
    const from = to - 100 * hourMs;
    const records = await readAll(service.url, 'tasks');
    const inside = matching({ query: {}, from, to, intervalMs: 0 }, records);
    assert.ok(inside.length > 0 && inside.length < records.length);

    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), { queryType: 'tasks' }, { from, to }));

    assert.deepEqual(
      frame.data.values[0],
      inside.map(({ id }) => id)
    );
  });

  test('shows fields that are not in the specification after the others, by name', async () => {
    await service.unknownFields(true);
    try {
      const frame = frameOf(await plugin.ask(dataSourceFor(service.url), { queryType: 'tasks', days: 30 }));
      const unknown = frame.schema.fields.slice(dataSets[0].fields.length);
      assert.deepEqual(
        unknown.map(({ name, type }) => [name, type]),
        [
          ['context', 'other'],
          ['queueName', 'string'],
          ['retryCount', 'number'],
        ]
      );
      assert.deepEqual(frame.data.values[dataSets[0].fields.length][0], {
        source: 'scheduler',
        tags: ['sim', 'row-0'],
      });
    } finally {
      await service.unknownFields(false);
    }
  });
});
