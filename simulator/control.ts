import { Hono } from 'hono';

import type { Clock } from './clock';
import { type Faults, parseFault } from './faults';
import { HttpError, objectOf } from './input';
import type { Recorder } from './recorder';
import { taskRecord } from './reports';
import type { Sessions } from './session';
import type { World } from './world';

/** The parts of the simulator that the test routes use. */
export interface Controlled {
  world: World;
  sessions: Sessions;
  faults: Faults;
  recorder: Recorder;
}

/**
 * The routes under /simulator/, which tests use to inspect and change the simulator. They need no login and are not
 * counted.
 */
export function controlRoutes({ world, sessions, faults, recorder }: Controlled): Hono {
  const app = new Hono();

  app.get('/health', (c) => c.json({ status: 'ok' }));

  app.get('/requests', (c) => c.json(recorder.summary()));
  app.delete('/requests', (c) => {
    recorder.reset();
    return c.json(recorder.summary());
  });

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

  app.delete('/tasks/:id', (c) => {
    const id = c.req.param('id');
    const window = world.tasks(world.options.historyDays);
    const task = window.slice(0, window.total).find((one) => String(one.id) === id);
    if (task === undefined) {
      throw new HttpError(404, `No task has the id ${id}`);
    }
    world.removeTask(task);
    return c.json(taskRecord(world, task));
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
