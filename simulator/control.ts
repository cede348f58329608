import { Hono } from 'hono';

import type { Clock } from './clock';
import { type Faults, parseFault } from './faults';
import { HttpError, objectOf, oneOf, wholeNumber } from './input';
import { MOST_PAGE_SIZE, sizes, type Switches } from './options';
import type { Recorder } from './recorder';
import { taskRecord } from './reports';
import type { Sessions } from './session';
import { type Task, taskChanges } from './tasks';
import type { World } from './world';

/** The parts of the simulator that the test routes use. */
export interface Controlled {
  world: World;
  sessions: Sessions;
  faults: Faults;
  recorder: Recorder;
  switches: Switches;
}

/**
 * The routes under /simulator/, which tests use to inspect and change the simulator. They need no login and are not
 * counted.
 */
export function controlRoutes({ world, sessions, faults, recorder, switches }: Controlled): Hono {
  const app = new Hono();

  app.get('/health', (c) => c.json({ status: 'ok' }));

  app.get('/requests', (c) => c.json(recorder.summary()));
  app.delete('/requests', (c) => {
    recorder.reset();
    return c.json(recorder.summary());
  });

  app.get('/faults', (c) => c.json(faults.list()));
  app.post('/faults', async (c) => {
    faults.set(parseFault(await objectOf(c, 'route and kind')));
    return c.json(faults.list());
  });
  app.delete('/faults', (c) => {
    faults.clear();
    return c.json(faults.list());
  });

  app.post('/expire-tokens', (c) => {
    sessions.expireAll();
    return c.json({ expired: true });
  });

  app.post('/key', async (c) => {
    const { key } = await objectOf(c, 'key');
    if (typeof key !== 'string' || key === '') {
      throw new HttpError(400, 'key: must be a non-empty text');
    }
    sessions.rotateKey(key);
    return c.json({ rotated: true });
  });

  app.get('/clock', (c) => c.json(clockState(world.clock)));
  app.post('/clock', async (c) => {
    setClock(world.clock, await objectOf(c, CLOCK_INPUT));
    return c.json(clockState(world.clock));
  });

  app.post('/automations/:label/success-rate', async (c) => {
    const label = c.req.param('label');
    const { rate } = await objectOf(c, 'rate');
    if (rate !== null && (typeof rate !== 'number' || !(rate >= 0 && rate <= 1))) {
      throw new HttpError(400, 'rate: must be a number from 0 to 1, or null to restore it');
    }
    if (!world.setSuccessRate(label, rate)) {
      throw new HttpError(404, `No automation "${label}"`);
    }
    return c.json({ label, rate });
  });

  app.post('/unknown-fields', async (c) => {
    const { enabled } = await objectOf(c, 'enabled');
    if (typeof enabled !== 'boolean') {
      throw new HttpError(400, 'enabled: must be true or false');
    }
    switches.unknownFields = enabled;
    return c.json(switches);
  });

  app.post('/size', async (c) => {
    const { size, max = world.options.maxPageSize } = await objectOf(c, 'size');
    const maxPageSize = wholeNumber('max', max, 1, MOST_PAGE_SIZE);
    Object.assign(switches, { size: oneOf('size', size, sizes), maxPageSize });
    return c.json(switches);
  });

  app.post('/tasks', async (c) => c.json(changeTask(world, await objectOf(c, TASK_INPUT))));

  app.post('/churn', async (c) => {
    const { n, secondsAgo = 0 } = await objectOf(c, 'n');
    const count = wholeNumber('n', n, 1, 10_000);
    if (world.options.automations === 0) {
      throw new HttpError(
        400,
        'n: without automations, there are no tasks. Start the simulator with --automations 1 or more'
      );
    }
    if (!world.addTasks(count, wholeNumber('secondsAgo', secondsAgo, 0, world.options.historyDays * 86_400))) {
      throw new HttpError(400, 'n: a simulator accepts at most 10000 added tasks in total');
    }
    return c.json({ added: count });
  });

  return app;
}

/** The clock as tests see it. */
function clockState(clock: Clock) {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.frozen };
}

/** The input of setClock. */
const CLOCK_INPUT = '"freeze": "<ISO 8601>", "advanceSeconds": <whole number> or "live": true';

/** Sets the clock, with one of the three properties. */
function setClock(clock: Clock, { freeze, advanceSeconds, live }: Record<string, unknown>) {
  if (typeof freeze === 'string' && !Number.isNaN(Date.parse(freeze))) {
    clock.freeze(Date.parse(freeze));
  } else if (typeof advanceSeconds === 'number' && Number.isInteger(advanceSeconds)) {
    clock.advance(advanceSeconds);
  } else if (live === true) {
    clock.live();
  } else {
    throw new HttpError(400, `Expected a JSON object with ${CLOCK_INPUT}`);
  }
}

/** The input of changeTask. */
const TASK_INPUT = '"change" and either "id" or "row"';

/** Changes a task and returns its new record; for a removed task, the record before. */
function changeTask(world: World, { change, id, row }: Record<string, unknown>) {
  const wanted = oneOf('change', change, taskChanges);
  const task = find(world, id, row);
  if (!world.changeTask(task, wanted)) {
    throw new HttpError(
      409,
      `change: task ${task.id} is ${taskRecord(world, task).state}, so "${wanted}" is not possible`
    );
  }
  return taskRecord(world, task);
}

function find(world: World, id: unknown, row: unknown): Task {
  if ((id === undefined) === (row === undefined)) {
    throw new HttpError(400, `Expected a JSON object with ${TASK_INPUT}`);
  }
  const window = world.tasks(world.options.historyDays);
  const tasks = window.slice(0, window.total);
  const task = row === undefined ? tasks.find((one) => one.id === id) : tasks.at(rowOf(row));
  if (task === undefined) {
    throw new HttpError(404, row === undefined ? `No task has the id ${id}` : `No task is in row ${row}`);
  }
  return task;
}

/** Rows are counted from the newest task, which is 0. */
function rowOf(row: unknown): number {
  return wholeNumber('row', row, 0, Number.MAX_SAFE_INTEGER);
}
