import { setTimeout } from 'node:timers/promises';
import { constants, gzipSync } from 'node:zlib';

import { type Context, Hono, type MiddlewareHandler } from 'hono';

import { controlRoutes } from './control';
import { Faults, playFaults } from './faults';
import { daysOf, HttpError, objectOf, pageOf, search, sortOf } from './input';
import { cut, envelope } from './lists';
import type { SimulatorOptions } from './options';
import { type Env, Recorder, type Route } from './recorder';
import { Reports, type SortOrder, taskRecord } from './reports';
import { Sessions } from './session';
import type { World } from './world';

/** The whole HTTP application: the service as a client sees it, and the test routes. */
export function buildApp(world: World): Hono<Env> {
  const { options } = world;
  // Generates a month now, so that the first request is no slower than the others.
  world.tasks(options.historyDays);
  const sessions = new Sessions(options);
  const faults = new Faults();
  const recorder = new Recorder(routes(options));

  const app = new Hono<Env>();
  app.notFound((c) => c.json({ message: `No route ${c.req.method} ${c.req.path}` }, 404));
  app.onError((error, c) => c.json({ message: error.message }, error instanceof HttpError ? error.status : 500));
  app.route('/simulator', controlRoutes({ world, sessions, faults, recorder }));
  app.use(recorder.middleware());
  app.use(takeTime(options.latency));
  app.use(tellTime(options));
  app.use(gzip);
  app.use(playFaults(faults));
  app.use(refuseWithoutUserAgent);
  app.route('/', serviceRoutes(world, sessions));
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

/** The time for the Date header, ahead of the actual one by this many seconds. */
function tellTime(options: SimulatorOptions): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next();
    if (options.clockSkew !== 0) {
      c.header('Date', new Date(Date.now() + options.clockSkew * 1_000).toUTCString());
    }
  };
}

/** Responds like a front end that refuses a request before the service sees it. */
const refuseWithoutUserAgent: MiddlewareHandler<Env> = async (c, next) =>
  c.req.header('user-agent') ? next() : c.html('<html><body><h1>403 Forbidden</h1></body></html>', 403);

/** Sort fields in the specification, and its default orders. */
const automationSort = ['label', 'date', 'repositoryLabel', 'taskCount', 'sumItems', 'sumItemsError'];
const automationOrder: SortOrder = { field: 'label', order: 'asc' };
const runnerSort = ['_id', 'tasks', 'items', 'itemsErrorCount', 'utilizationRate'];
const runnerOrder: SortOrder = { field: 'tasks', order: 'desc' };

/** The routes in the specification: login, tasks, automations, runners. */
function serviceRoutes(world: World, sessions: Sessions): Hono {
  const { options } = world;
  const reports = new Reports(world);
  const app = new Hono();
  const inside = requireSession(sessions, options.organization);

  app.post('/api/v2/workspace/login', async (c) => {
    const { login, key } = await objectOf(c, 'login and key');
    // A form, or JSON without this content type, is a client error.
    if (!c.req.header('content-type')?.includes('application/json')) {
      throw new HttpError(400, 'Expected Content-Type: application/json');
    }
    const accessToken = sessions.login(login, key);
    if (accessToken === null) {
      throw new HttpError(401, 'Invalid login or key');
    }
    return c.json({ accessToken, organizationLabel: options.organization, expiresIn: options.tokenLifetime });
  });

  app.get('/api/v1/insights/tasks', inside, (c) => {
    const page = pageOf(c.req, options);
    const tasks = world.tasks(daysOf(c.req, 'days'));
    const rows = tasks.slice(page.number * page.size, page.size).map((task) => taskRecord(world, task));
    return send(c, envelope(rows, tasks.total, page));
  });

  app.get('/api/v1/insights/automation', inside, (c) => {
    const page = pageOf(c.req, options);
    const sorted = reports.automations(daysOf(c.req, 'filterBy'), sortOf(c.req, automationSort, automationOrder));
    const rows = search(sorted, c.req.query('automation'), (row) => row.label);
    return send(c, envelope(cut(rows, page), rows.length, page));
  });

  app.get(options.runnersPath, inside, (c) => {
    const sorted = reports.runners(daysOf(c.req, 'filterBy'), sortOf(c.req, runnerSort, runnerOrder));
    const rows = search(sorted, c.req.query('runner'), (row) => row._id);
    if (options.runnersShape === 'array') {
      return send(c, rows);
    }
    const page = pageOf(c.req, options);
    return send(c, envelope(cut(rows, page), rows.length, page));
  });

  return app;
}

function send(c: Context, value: unknown) {
  return c.body(decimalJson(value), 200, { 'Content-Type': 'application/json' });
}

/** Data routes require a valid token (401) and the organization that it was issued for (403). */
function requireSession(sessions: Sessions, organization: string): MiddlewareHandler {
  return async (c, next) => {
    const token = c.req.header('token');
    if (!token) {
      throw new HttpError(401, 'Header token is missing');
    }
    if (!sessions.knows(token)) {
      throw new HttpError(401, 'Token is unknown or has expired');
    }
    if (c.req.header('organization') !== organization) {
      throw new HttpError(403, 'No access to this organization');
    }
    await next();
  };
}

/** Fields that the specification calls "number (decimal)". */
const DECIMALS =
  /"(sumItems|sumItemsError|sumItemsProcessed|uptimeRate|downtimeRate|successRate|roi|fte|savings|utilizationRate)":(-?\d+)(?=[,}])/g;

/** JSON in which whole decimals keep their point (`12.0`), as the service's language writes them. */
function decimalJson(value: unknown): string {
  return JSON.stringify(value).replace(DECIMALS, '"$1":$2.0');
}

/** Below this size, compression doesn't pay off. */
const WORTH_IT = 1024;

/**
 * Compresses JSON for clients that accept gzip. In one call rather than through hono's stream: this takes a tenth of a
 * millisecond for a page of 20 records instead of two, and benchmarks must not measure the simulator.
 */
const gzip: MiddlewareHandler<Env> = async (c, next) => {
  await next();
  if (!c.res.headers.get('content-type')?.includes('json')) {
    return;
  }
  c.header('Vary', 'Accept-Encoding');
  if (!/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) {
    return;
  }
  const body = Buffer.from(await c.res.arrayBuffer());
  const packed = body.length < WORTH_IT ? body : gzipSync(body, { level: constants.Z_BEST_SPEED });
  c.res = new Response(packed, c.res);
  if (packed !== body) {
    c.header('Content-Encoding', 'gzip');
  }
};

/**
 * Makes every request take this many milliseconds, including the work on it, so that benchmarks don't measure the
 * simulator. The timer is accurate to half a millisecond.
 */
function takeTime(latency: number): MiddlewareHandler<Env> {
  return async (_c, next) => {
    const due = performance.now() + latency;
    await next();
    if (latency > 0) {
      // A long wait must not keep the process alive when it is asked to stop.
      await setTimeout(due - performance.now(), undefined, { ref: false });
    }
  };
}
