import { Hono, type MiddlewareHandler } from 'hono';

import { controlRoutes } from './control';
import { playFaults } from './fault-effects';
import { Faults } from './faults';
import { gzip } from './gzip';
import { HttpError } from './http-error';
import { takeTime } from './latency';
import type { SimulatorOptions } from './options';
import { type Env, Recorder, type Route } from './recorder';
import { serviceRoutes } from './service';
import { Sessions } from './session';
import { switchesOf } from './switches';
import { World } from './world';

/** The whole HTTP application: the service as a client sees it, and beside it the routes for tests. */
export function buildApp(options: SimulatorOptions): Hono<Env> {
  const world = new World(options);
  // A month is made now, so that the first request is no slower than the others.
  world.tasks(options.historyDays);
  const sessions = new Sessions(options);
  const faults = new Faults();
  const recorder = new Recorder(routes(options));
  const switches = switchesOf(options);

  const app = new Hono<Env>();
  app.notFound((c) => c.json({ message: `No route ${c.req.method} ${c.req.path}` }, 404));
  app.onError((error, c) => c.json({ message: error.message }, error instanceof HttpError ? error.status : 500));
  app.route('/simulator', controlRoutes({ world, sessions, faults, recorder, switches }));
  app.use(recorder.middleware());
  app.use(takeTime(options.latency));
  app.use(gzip);
  app.use(playFaults(faults));
  app.use(refuseWithoutUserAgent(options.requireUserAgent));
  app.route('/', serviceRoutes(world, sessions, switches));
  return app;
}

function routes(options: SimulatorOptions): (path: string) => Route {
  const known = new Map<string, Route>([
    ['/api/v2/workspace/login', 'login'],
    ['/api/v1/insights/tasks', 'tasks'],
    ['/api/v1/insights/automation', 'automation'],
    [options.runnersPath, 'runner'],
  ]);
  return (path) => known.get(path) ?? 'other';
}

/** A front end refuses before the service sees the request, in words of its own. */
function refuseWithoutUserAgent(enabled: boolean): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (enabled && !c.req.header('user-agent')) {
      return c.html('<html><body><h1>403 Forbidden</h1></body></html>', 403);
    }
    return next();
  };
}
