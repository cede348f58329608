import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sharedRunners } from './automations';
import { DAY, HOUR } from './clock';
import { resolveOptions, type SimulatorOptions } from './options';
import { outcome, stateAt, type Task } from './tasks';
import { World } from './world';

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
  'a busy company': { tasksPerDay: 20_000, historyDays: 3 },
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
