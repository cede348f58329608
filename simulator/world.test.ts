import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sharedRunners } from './automations';
import { DAY, HOUR } from './clock';
import { resolveOptions, type SimulatorOptions } from './options';
import type { AutomationRecord, TaskRecord } from './reports';
import { simulated, withSimulator } from './simulated';
import { outcome, stateAt, type Task } from './tasks';
import { AUTOMATIONS, TASKS } from './testing';
import { World } from './world';

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

simulated(
  'an automation succeeds as often as a test says, and a task disappears',
  { pageSize: 2_000 },
  async (client) => {
    const label = 'invoice-intake';
    const before = [await client.automations(), await client.all(TASKS)];
    for (const rate of [0, 0.5, 1]) {
      await client.control('POST', `automations/${label}/success-rate`, { rate });
      const own = (await client.all<TaskRecord>(TASKS)).filter(
        (task) => task.activityLabel === label && task.finishStatus
      );
      const share = own.filter((task) => task.finishStatus === 'SUCCESS').length / own.length;
      const [automation] = (await client.automations(`?automation=${label}`)).content;
      assert.ok(Math.abs(share - rate) < 0.05, `${share} of the tasks at ${rate}`);
      assert.equal(automation.successRate, Number(share.toFixed(4)));
    }
    await client.control('POST', `automations/${label}/success-rate`, { rate: null });
    assert.deepEqual([await client.automations(), await client.all(TASKS)], before);

    const [gone, ...others] = await client.all<TaskRecord>(TASKS);
    assert.deepEqual(await client.control('DELETE', `tasks/${gone.id}`), gone);
    assert.deepEqual(await client.all(TASKS), others);
    const counted = (await client.all<AutomationRecord>(AUTOMATIONS)).reduce(
      (sum, { taskCount }) => sum + taskCount,
      0
    );
    assert.equal(counted, others.length);
    assert.equal((await client.send('DELETE', `/simulator/tasks/${gone.id}`)).status, 404);
  }
);

simulated('the clock can be frozen, moved, and set live again', { frozen: undefined }, async (client) => {
  const set = (body: object) => client.control<{ now: string; frozen: boolean }>('POST', 'clock', body);
  const frozen = await set({ freeze: '2026-01-05T12:00:00-03:00' });
  assert.deepEqual(frozen, { now: '2026-01-05T15:00:00.000Z', frozen: true });
  assert.deepEqual(await set({ advanceSeconds: -60 }), { now: '2026-01-05T14:59:00.000Z', frozen: true });
  const before = Date.now();
  const live = await set({ live: true });
  // In whole seconds.
  assert.ok(before - 1000 < Date.parse(live.now) && Date.parse(live.now) <= Date.now() && !live.frozen);
  assert.equal((await client.send('POST', '/simulator/clock', { freeze: 'soon' })).status, 400);
});

/** The end of a Monday in UTC: the oldest day is complete, too. */
const MONDAY = '2026-11-02T23:59:59.999Z';

function open(options: Partial<SimulatorOptions>): World {
  return new World(resolveOptions({ frozen: MONDAY, ...options }));
}

/** The tasks of the last days, newest first. */
function tasksOf(world: World, days = 30): Task[] {
  const window = world.tasks(days);
  return window.slice(0, window.total);
}

/** The tasks of each runner, in the order in which they started. */
function byRunner(world: World): Task[][] {
  const tasks = tasksOf(world).sort((a, b) => a.started - b.started);
  return world.runners.map((_, runner) => tasks.filter((task) => task.runner === runner));
}

for (const [name, options] of Object.entries({
  'the default company': {},
  'a company with few runners': { runners: 2 },
  'an exact number of tasks': { tasksTotal: 20_000, runners: 3 },
  'a large company': { tasksPerDay: 1_500, automations: 50, runners: 40 },
})) {
  test(`${name}: a runner has one task at a time, and work for more`, () => {
    const world = open(options);
    const runners = byRunner(world);
    assert.equal(runners.filter((tasks) => tasks.length > 0).length, world.runners.length);
    for (const tasks of runners) {
      assert.ok(tasks.every(({ started }, index) => index === 0 || tasks[index - 1].ended <= started));
    }
    // Next to none is left over at the end of a day.
    const all = tasksOf(world);
    assert.ok(all.filter(({ canceled }) => canceled).length < all.length * 0.03);
  });
}

test('a task waits only until it is ready and a runner is free, the most important and the oldest first', () => {
  const world = open({ automations: 12 });
  const runners = byRunner(world).slice(0, sharedRunners(world.runners.length));
  const started = tasksOf(world).filter(({ runner }) => runner >= 0);
  const waited = started.filter((task) => task.started > task.ready);
  assert.ok(waited.length > 200, `${waited.length} tasks waited`);
  assert.ok(started.every((task) => task.ready > task.created && task.started >= task.ready));
  for (const { ready, started: until } of waited) {
    for (const own of runners) {
      const busy = own.map((task) => Math.max(0, Math.min(task.ended, until) - Math.max(task.started, ready)));
      assert.equal(
        busy.reduce((sum, one) => sum + one),
        until - ready
      );
    }
  }
  const priority = (task: Task) => world.ownerOf(task).priority;
  for (const next of started) {
    for (const other of waited.filter((task) => task.ready <= next.started && next.started < task.started)) {
      const isFirst = priority(other) - priority(next) || other.ready - next.ready;
      assert.ok(isFirst >= 0, `task ${next.id} started before ${other.id}`);
    }
  }
});

/** What a person should look at, by kind. */
function findings(world: World, now: number): Record<string, number> {
  world.clock.freeze(now);
  const tasks = tasksOf(world);
  const own = world.automations.map((_, index) => tasks.filter(({ automation }) => automation === index));
  const succeeded = (task: Task) => outcome(task, world.successRateOf(world.ownerOf(task))) === 'SUCCESS';
  const share = (of: Task[]) => of.filter(succeeded).length / of.length;
  const finished = own.map((all) =>
    all.filter((task) => stateAt(task, now) === 'FINISHED').sort((a, b) => b.ended - a.ended)
  );
  const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  const lasts = (all: Task[]) => middle(all.map((task) => task.ended - task.started));
  const gap = (all: Task[]) => middle(all.slice(1).map((task, index) => all[index].created - task.created));
  const recent = (all: Task[]) => all.filter((task) => task.ended > now - DAY);
  const lastStart = world.runners.map((_, runner) =>
    Math.max(...tasks.filter((task) => task.runner === runner && task.started <= now).map((task) => task.started))
  );
  return {
    stuck: tasks.filter(
      (task) => stateAt(task, now) === 'RUNNING' && now - task.started > 50 * lasts(finished[task.automation])
    ).length,
    silent: own.filter((all) => now - all[0].created > Math.max(4 * HOUR, 6 * gap(all)) && gap(all) < HOUR).length,
    failing: finished.filter((all) => !all.slice(0, 3).some(succeeded)).length - 1,
    worse: finished.filter(
      (all) => recent(all).length >= 10 && share(recent(all)) < share(all.slice(recent(all).length)) - 0.2
    ).length,
    'without success': finished.filter((all) => all.length >= 10 && !all.some(succeeded)).length,
    waiting: tasks.filter((task) => stateAt(task, now) === 'START' && now - task.created > HOUR).length,
    dead: lastStart.filter((time) => now - time > 7 * HOUR).length,
  };
}

test('at any time of a week, there is something of each kind to find', () => {
  const world = open({});
  for (let now = Date.parse(MONDAY); now < Date.parse(MONDAY) + 7 * DAY; now += 3.4 * HOUR) {
    for (const [kind, count] of Object.entries(findings(world, Math.floor(now)))) {
      assert.ok(count >= 1, `${new Date(now).toISOString()}: nothing is ${kind}`);
    }
  }
});
