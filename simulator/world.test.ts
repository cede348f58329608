import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { TaskRecord } from './reports';
import { simulated, withSimulator } from './simulated';
import { AUTOMATIONS, TASKS } from './testing';

test('the same seed, options, and time produce the same world, however the clock got there', async () => {
  const worlds: unknown[] = [];
  for (const [frozen, advanceSeconds] of [
    ['2026-11-02T18:00:00Z', 0],
    ['2026-10-30T17:00:00Z', 262_800],
    ['2026-11-02T19:00:00Z', -3600],
  ] as const) {
    await withSimulator({ frozen }, async (client) => {
      await client.all(`${TASKS}?days=3`);
      await client.send('POST', '/simulator/clock', { advanceSeconds });
      worlds.push([await client.all(`${TASKS}?days=5`), await client.all(AUTOMATIONS), await client.runners()]);
    });
  }
  assert.deepEqual(worlds[1], worlds[0]);
  assert.deepEqual(worlds[2], worlds[0]);
});

simulated('tasks queue, run and finish as the clock moves', { tasksPerDay: 2000, pageSize: 2_000 }, async (client) => {
  const moves = new Set<string>();
  let before = new Map<number, TaskRecord>();
  for (let step = 0; step < 40; step++) {
    const tasks = await client.all<TaskRecord>(`${TASKS}?days=1`);
    for (const task of tasks) {
      const old = before.get(task.id);
      moves.add(old && old.state !== task.state ? `${old.state} ${task.state}` : task.state);
      checkTask(task);
    }
    before = new Map(tasks.map((task) => [task.id, task]));
    await client.send('POST', '/simulator/clock', { advanceSeconds: 300 });
  }
  const allowed = ['START RUNNING', 'RUNNING FINISHED', 'START FINISHED', 'START CANCELED', 'RUNNING CANCELED'];
  const timeouts = ['RUNNING TIMEOUT', 'START TIMEOUT', 'TIMEOUT FINISHED'];
  const states = ['START', 'RUNNING', 'FINISHED', 'CANCELED', 'TIMEOUT'];
  for (const move of moves) {
    assert.ok([...allowed, ...timeouts, ...states].includes(move), move);
  }
  for (const expected of [...states, 'START RUNNING', 'RUNNING FINISHED']) {
    assert.ok(moves.has(expected), expected);
  }
});

/** What must be true of a task in each state. */
function checkTask(task: TaskRecord) {
  const { state, finishStatus, dateStartRunning, dateLastModified, processedItems, failedItems, totalItems } = task;
  assert.equal(finishStatus !== null, state === 'FINISHED');
  assert.equal(totalItems === null, processedItems === null);
  assert.equal(totalItems, totalItems === null ? null : Number(processedItems) + Number(failedItems));
  assert.equal(task.machineId !== null, dateStartRunning !== null);
  if (state === 'START') {
    assert.deepEqual([dateStartRunning, dateLastModified, totalItems], [null, null, null]);
  } else if (dateStartRunning !== null) {
    assert.ok(dateStartRunning > task.dateCreation && String(dateLastModified) >= dateStartRunning);
  } else {
    assert.equal(state, 'CANCELED');
  }
  if (finishStatus === 'SUCCESS' && failedItems !== null) {
    assert.equal(failedItems, 0);
  }
  if (finishStatus === 'PARTIALLY_COMPLETED' && totalItems !== null) {
    assert.ok(Number(failedItems) > 0 && Number(processedItems) > 0);
  }
}

simulated('automations and runners are totals of exactly the listed tasks', {}, async (client) => {
  const tasks = await client.all<TaskRecord>(`${TASKS}?days=7`);
  const sum = (rows: TaskRecord[], field: 'totalItems' | 'failedItems' | 'processedItems') =>
    rows.reduce((total, row) => total + (row[field] ?? 0), 0);
  for (const automation of (await client.automations('?filterBy=7')).content) {
    const own = tasks.filter((task) => task.activityLabel === automation.label);
    const finished = own.filter((task) => task.state === 'FINISHED');
    const succeeded = finished.filter((task) => task.finishStatus === 'SUCCESS');
    assert.equal(automation.taskCount, own.length);
    assert.equal(automation.sumItems, sum(own, 'totalItems'));
    assert.equal(automation.sumItemsError, sum(own, 'failedItems'));
    assert.equal(automation.sumItemsProcessed, sum(own, 'processedItems'));
    assert.equal(automation.successRate, Number((succeeded.length / finished.length).toFixed(4)));
    assert.ok(Math.abs(automation.uptimeRate + automation.downtimeRate - 1) < 1e-9);
  }
  for (const runner of await client.runners('?filterBy=7')) {
    const own = tasks.filter((task) => task.machineId === runner._id);
    assert.equal(runner.tasks, own.length);
    assert.equal(runner.items, sum(own, 'totalItems'));
    assert.equal(runner.itemsErrorCount, sum(own, 'failedItems'));
    assert.ok(runner.utilizationRate > 0 && runner.utilizationRate < 1);
  }
});

test('rates are percentages, and roi, fte, and savings zero or null, where the options say so', async () => {
  for (const [costs, value] of [
    ['zero', 0],
    ['null', null],
  ] as const) {
    await withSimulator({ costs, rates: 'percent' }, async (client) => {
      for (const { uptimeRate, downtimeRate, roi, fte, savings } of (await client.automations()).content) {
        assert.ok(Math.abs(uptimeRate + downtimeRate - 100) < 1e-9);
        assert.deepEqual([roi, fte, savings], [value, value, value]);
      }
      assert.ok((await client.runners())[0].utilizationRate > 1);
    });
  }
});
