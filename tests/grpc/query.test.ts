import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dataSets } from '../../schema/datasets';
import { matching, readAll } from '../../workbench/reference';
import { dataSourceFor, frameOf, namesOf, noticesOf, rowsOf, startPlugin } from './support/plugin';
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

  test('without a data set reads tasks', async () => {
    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), { days: 30 }));
    assert.equal(namesOf(frame)[0], 'id');
  });

  test('without rows has all its fields', async () => {
    const nobody = { queryType: 'automations', days: 30, search: 'no-such-automation' };
    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), nobody));
    assert.equal(rowsOf(frame), 0);
    assert.equal(frame.schema.fields.length, dataSets[1].fields.length);
  });

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

  test('of totals over a range that has ended says that they run until now', async () => {
    const range = { from: Date.now() - 72 * hourMs, to: Date.now() - 48 * hourMs };
    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), { queryType: 'automations' }, range));
    assert.equal(noticesOf(frame).length, 1);
  });

  test('returns columns in the requested order', async () => {
    const columns = ['finishStatus', 'id'];
    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), { queryType: 'tasks', days: 30, columns }));
    assert.deepEqual(namesOf(frame), columns);
  });

  test("uses the service's sort order, and reads only the pages that a limit needs", async () => {
    await service.reset();
    const top = { queryType: 'automations', days: 30, sort: { field: 'taskCount', order: 'desc' }, limit: 5 };
    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), top));
    const counts = frame.data.values[namesOf(frame).indexOf('taskCount')] as number[];
    assert.equal(counts.length, 5);
    assert.deepEqual(
      counts,
      [...counts].sort((a, b) => b - a)
    );
    const { byRoute, requests } = await service.requests();
    assert.equal(byRoute.automation, 1);
    assert.match(requests.at(-1)!.path, /sort=taskCount(,|%2C)desc/);
  });

  test('sorts by any other field, too, nulls last', async () => {
    const sort = { field: 'processedItems', order: 'asc' };
    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), { queryType: 'tasks', days: 30, sort }));
    const items = frame.data.values[namesOf(frame).indexOf('processedItems')] as Array<number | null>;
    const numbers = items.filter((item) => item !== null);
    assert.ok(numbers.length < items.length, 'some tasks report no items');
    assert.deepEqual(
      items.slice(0, numbers.length),
      [...numbers].sort((a, b) => a - b)
    );
  });

  test('searches automations at the service', async () => {
    const [first] = await readAll(service.url, 'automations');
    const frame = frameOf(
      await plugin.ask(dataSourceFor(service.url), { queryType: 'automations', days: 30, search: String(first.label) })
    );
    assert.ok(frame.data.values[0].includes(first.label));
    const { requests } = await service.requests();
    assert.match(requests.at(-1)!.path, new RegExp(`automation=${first.label}`));
  });

  test('searches tasks by part of the label, ignoring case', async () => {
    const [first] = await readAll(service.url, 'tasks');
    const search = String(first.activityLabel).slice(1, 5).toUpperCase();
    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), { queryType: 'tasks', days: 30, search }));
    const labels = frame.data.values[namesOf(frame).indexOf('activityLabel')] as string[];
    assert.ok(labels.length > 0 && labels.length < 399);
    assert.ok(labels.every((label) => label.toUpperCase().includes(search)));
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

  test('stops at maxRows and reports both numbers', async () => {
    const dataSource = dataSourceFor(service.url, { maxRows: 100 });
    const frame = frameOf(await plugin.ask(dataSource, { queryType: 'tasks', days: 30 }));
    assert.equal(rowsOf(frame), 100);
    assert.match(noticesOf(frame).join(), /100.*399|399.*100/s);
  });
});
