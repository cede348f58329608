import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FrameJson } from '../../workbench/backend/frames';
import { dataSourceFor, frameOf, namesOf, startPlugin } from './support/plugin';
import { dataSets, readAll, type ServiceRecord } from './support/reference';
import { frozen, startService } from './support/simulator';

const dayMs = 86_400_000;

/** Counts records by the value of a field. */
function countBy(records: ServiceRecord[], field: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const record of records) {
    const value = String(record[field] ?? '');
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

/** The numbers of a frame, by the value of their only label. */
function numbersOf({ schema, data }: FrameJson): Map<unknown, unknown> {
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
  const tasks = async () => readAll(service.url, dataSets[0]);

  test('numeric: one field per group, with its labels, as in a plain count', async () => {
    const query = { queryType: 'tasks', days: 30, format: 'numeric', measure: 'tasks', groupBy: ['activityLabel'] };
    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), query));
    assert.equal(frame.schema.meta?.type, 'numeric-wide');
    assert.deepEqual(frame.schema.meta?.typeVersion, [0, 1]);
    assert.deepEqual(new Set(namesOf(frame)), new Set(['tasks']));
    assert.deepEqual(numbersOf(frame), countBy(await tasks(), 'activityLabel'));
  });

  test('numeric for a panel that lists rows: one row per group', async () => {
    const query = { queryType: 'tasks', days: 30, format: 'numeric', measure: 'tasks', groupBy: ['activityLabel'] };
    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), { ...query, shape: 'long' }));
    assert.equal(frame.schema.meta?.type, 'numeric-long');
    assert.deepEqual(frame.schema.meta?.typeVersion, [0, 1]);
    assert.deepEqual(namesOf(frame), ['activityLabel', 'tasks']);
    assert.deepEqual(rowNumbersOf(frame), countBy(await tasks(), 'activityLabel'));
  });

  test('numeric without groups: one number', async () => {
    const query = { queryType: 'tasks', days: 30, format: 'numeric', measure: 'failedTasks' };
    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), query));
    const failed = (await tasks()).filter(({ finishStatus }) => finishStatus === 'FAILED').length;
    assert.deepEqual(frame.data.values, [[failed]]);
  });

  test('numeric of automations: the service’s own rate for each', async () => {
    const records = await readAll(service.url, dataSets[1]);
    const query = { queryType: 'automations', days: 30, format: 'numeric', measure: 'successRate', groupBy: ['label'] };
    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), query));
    const expected = records.map(({ label, successRate, taskCount }) => [label, taskCount === 0 ? null : successRate]);
    assert.deepEqual(numbersOf(frame), new Map(expected as Array<[unknown, unknown]>));
  });

  /** The display names of a frame's series by the value of their only label. */
  const displayed = ({ schema }: FrameJson) =>
    new Map(
      schema.fields
        .filter(({ labels }) => labels)
        .map(({ labels = {}, config }) => [Object.values(labels)[0], config?.displayNameFromDS])
    );

  test('series of automations have their names, in both data sets that know them; rows keep the labels', async () => {
    const records = await readAll(service.url, dataSets[1]);
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

  test('numeric without rows: a typed frame without fields', async () => {
    const query = {
      queryType: 'automations',
      format: 'numeric',
      measure: 'successRate',
      groupBy: ['label'],
      search: '?',
    };
    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), query));
    assert.equal(frame.schema.meta?.type, 'numeric-wide');
    assert.deepEqual(frame.schema.fields, []);
  });

  test('filters keep exactly the matching rows', async () => {
    const filters = [{ key: 'finishStatus', operator: '=|', values: ['FAILED', 'PARTIALLY_COMPLETED'] }];
    const query = {
      queryType: 'tasks',
      days: 30,
      format: 'numeric',
      measure: 'tasks',
      groupBy: ['machineId'],
      filters,
    };
    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), query));
    const kept = (await tasks()).filter(({ finishStatus }) =>
      ['FAILED', 'PARTIALLY_COMPLETED'].includes(String(finishStatus))
    );
    assert.deepEqual(numbersOf(frame), countBy(kept, 'machineId'));
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

    const inside = (await tasks()).filter(({ dateCreation }) => Date.parse(String(dateCreation)) >= range.from);
    const labels = frame.schema.fields.slice(1).map((field) => field.labels?.state);
    const sums = columns.map((values) => values.reduce((sum, value) => sum + value, 0));
    assert.deepEqual(new Map(labels.map((label, index) => [label, sums[index]])), countBy(inside, 'state'));
  });
});
