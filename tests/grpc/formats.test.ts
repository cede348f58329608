import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FrameJson } from '../../workbench/backend/frames';
import { groupName, groups, measures, numbersOf, readAll, type Row } from '../../workbench/reference';
import { dataSourceFor, frameOf, namesOf, startPlugin } from './support/plugin';
import { frozen, startService } from './support/simulator';

const dayMs = 86_400_000;

/** Counts rows by the value of a field. */
function countBy(rows: Row[], field: string): Map<string, number> {
  const found = groups(rows, (row) => String(row[field] ?? ''));
  return new Map([...found].map(([value, group]) => [value, group.length]));
}

/** The numbers of a frame, by the value of their only label. */
function shownBy({ schema, data }: FrameJson): Map<unknown, unknown> {
  return new Map(schema.fields.map(({ labels = {} }, at) => [Object.values(labels)[0], data.values[at][0]]));
}

/** The numbers of the rows of a frame, by the value of their only label. */
function rowNumbersOf({ data }: FrameJson): Map<unknown, unknown> {
  const [labels, numbers] = data.values;
  return new Map(labels.map((label, row) => [label, numbers[row]]));
}

describe('numbers and lines', () => {
  const plugin = startPlugin();
  const service = startService({ frozen, pageSize: 2_000, tasksTotal: 1_000, automations: 8, runners: 4 });
  const tasks = async () => readAll(service.url, 'tasks');

  test('numeric for a panel that lists rows: one row per group', async () => {
    const query = { queryType: 'tasks', days: 30, format: 'numeric', measure: 'tasks', groupBy: ['activityLabel'] };
    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), { ...query, shape: 'long' }));
    assert.equal(frame.schema.meta?.type, 'numeric-long');
    assert.deepEqual(frame.schema.meta?.typeVersion, [0, 1]);
    assert.deepEqual(namesOf(frame), ['activityLabel', 'tasks']);
    assert.deepEqual(rowNumbersOf(frame), countBy(await tasks(), 'activityLabel'));
  });

  test('a row and a value link to pages of the orchestrator', async () => {
    const source = dataSourceFor(service.url, { automationUrl: 'https://o.example/${label}' });
    const query = { queryType: 'automations', days: 30, limit: 1 };
    const linksOf = ({ schema }: FrameJson) =>
      schema.fields.flatMap(({ config }) => (config?.links ?? []) as Array<{ url: string }>).map(({ url }) => url);
    assert.deepEqual(linksOf(frameOf(await plugin.ask(source, query))), [
      'https://o.example/${__value.raw:percentencode}',
    ]);
    const number = { ...query, format: 'numeric', measure: 'taskCount', groupBy: ['label'] };
    const shown = frameOf(await plugin.ask(source, number));
    assert.deepEqual(linksOf(shown), [`https://o.example/${shown.schema.fields[0].labels?.label}`]);
  });

  for (const measure of Object.keys(measures)) {
    test(`${measure} of each automation, as the reference computes it`, async () => {
      const query = {
        queryType: 'tasks' as const,
        days: 30,
        format: 'numeric' as const,
        measure,
        groupBy: ['activityLabel'],
      };
      const frame = frameOf(await plugin.ask(dataSourceFor(service.url), query));
      const expected = numbersOf({ query, from: 0, to: 0, intervalMs: 0 }, await tasks());
      const shown = shownBy(frame) as Map<string, number | null>;
      assert.deepEqual(new Set([...shown.keys()].map((label) => groupName([label]))), new Set(expected.keys()));
      for (const [label, value] of shown) {
        const [wanted] = expected.get(groupName([label]))!;
        assert.ok(value === wanted || Math.abs(value! - wanted!) < 1e-9 * wanted!, `${label}: ${value}, not ${wanted}`);
      }
    });
  }

  /** The display names of a frame's series by the value of their only label. */
  const displayed = ({ schema }: FrameJson) =>
    new Map(
      schema.fields
        .filter(({ labels }) => labels)
        .map(({ labels = {}, config }) => [Object.values(labels)[0], config?.displayNameFromDS])
    );

  test('series of automations have their names, in both data sets that know them; rows keep the labels', async () => {
    const records = await readAll(service.url, 'automations');
    const names = new Map(records.map(({ label, name }) => [label, name]));
    const dataSource = dataSourceFor(service.url);
    for (const query of [
      { queryType: 'automations', days: 30, format: 'numeric', measure: 'savings', groupBy: ['label'] },
      { queryType: 'tasks', days: 30, format: 'numeric', measure: 'tasks', groupBy: ['activityLabel'] },
    ]) {
      const series = displayed(frameOf(await plugin.ask(dataSource, query)));
      assert.ok(series.size > 5);
      for (const [label, displayName] of series) {
        assert.equal(displayName, names.get(label));
      }
      const rows = frameOf(await plugin.ask(dataSource, { ...query, shape: 'long' }));
      assert.deepEqual(new Set(rows.data.values[0]), new Set(series.keys()));
    }
  });

  test('timeseries: a column per group, whose sums match a plain count', async () => {
    const to = Date.parse(frozen);
    const query = { queryType: 'tasks', format: 'timeseries', measure: 'tasks', groupBy: ['state'] };
    const range = { from: to - 20 * dayMs, to };
    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), query, range));
    assert.equal(frame.schema.meta?.type, 'timeseries-wide');
    assert.deepEqual(frame.schema.meta?.typeVersion, [0, 1]);

    const [times, ...columns] = frame.data.values as number[][];
    assert.ok(
      times.every((time, index) => index === 0 || time > times[index - 1]),
      'time ascends'
    );
    assert.ok(times.length > 100);

    const inside = (await tasks()).filter(({ dateCreation }) => Number(dateCreation) >= range.from);
    const labels = frame.schema.fields.slice(1).map((field) => field.labels?.state);
    const sums = columns.map((values) => values.reduce((sum, value) => sum + value, 0));
    assert.deepEqual(new Map(labels.map((label, index) => [label, sums[index]])), countBy(inside, 'state'));
  });
});
