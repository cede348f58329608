import { type Context, Hono, type MiddlewareHandler } from 'hono';

import { objectOf } from './body';
import { cut, envelope } from './envelope';
import { HttpError } from './http-error';
import { decimalJson } from './json';
import { daysOf, pageOf, search, sortOf } from './parameters';
import { taskRecord } from './records';
import { Reports } from './reports';
import type { Sessions } from './session';
import type { SortOrder } from './sorting';
import type { Switches } from './switches';
import { TaskLists } from './task-lists';
import { addUnknownFields } from './unknown-fields';
import type { World } from './world';

/** Fields that the specification lets one sort by, and its default orders. */
const automationSort = ['label', 'date', 'repositoryLabel', 'taskCount', 'sumItems', 'sumItemsError'];
const automationOrder: SortOrder = { field: 'label', order: 'asc' };
const runnerSort = ['_id', 'tasks', 'items', 'itemsErrorCount', 'utilizationRate'];
const runnerOrder: SortOrder = { field: 'tasks', order: 'desc' };

/** The routes of the specification: login, tasks, automations, runners. */
export function serviceRoutes(world: World, sessions: Sessions, switches: Switches): Hono {
  const { options } = world;
  const reports = new Reports(world);
  const lists = new TaskLists(world);
  const app = new Hono();
  const inside = requireSession(sessions, options.organization);
  const records = (rows: object[]) => (switches.unknownFields ? addUnknownFields(rows) : rows);

  app.post('/api/v2/workspace/login', async (c) => {
    const { login, key } = await objectOf(c, 'login and key');
    // A form, or JSON that does not say so, would be a client's mistake.
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
    const page = pageOf(c.req, options, switches);
    const { tasks, total } = lists.page(daysOf(c.req, 'days'), switches.taskOrder, page);
    const rows = tasks.map((task) => taskRecord(world, task));
    return send(c, envelope(records(rows), total, page));
  });

  app.get('/api/v1/insights/automation', inside, (c) => {
    const page = pageOf(c.req, options, switches);
    const sorted = reports.automations(daysOf(c.req, 'filterBy'), sortOf(c.req, automationSort, automationOrder));
    const rows = search(sorted, c.req.query('automation'), (row) => row.label);
    return send(c, envelope(records(cut(rows, page)), rows.length, page));
  });

  app.get(options.runnersPath, inside, (c) => {
    const sorted = reports.runners(daysOf(c.req, 'filterBy'), sortOf(c.req, runnerSort, runnerOrder));
    const rows = search(sorted, c.req.query('runner'), (row) => row._id);
    if (options.runnersShape === 'array') {
      return send(c, records(rows));
    }
    const page = pageOf(c.req, options, switches);
    return send(c, envelope(records(cut(rows, page)), rows.length, page));
  });

  return app;
}

function send(c: Context, value: unknown) {
  return c.body(decimalJson(value), 200, { 'Content-Type': 'application/json' });
}

/** Data routes need a living token (401) and the organization that it was given for (403). */
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
