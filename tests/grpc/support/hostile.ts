import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Route = 'login' | 'tasks' | 'automation' | 'runner';
export type Handler = (response: ServerResponse) => unknown;
export type Handlers = Partial<Record<Route, Handler>>;

const paths: Record<Route, string> = {
  login: '/api/v2/workspace/login',
  tasks: '/api/v1/insights/tasks',
  automation: '/api/v1/insights/automation',
  runner: '/api/v1/insights/runner',
};

/** Responds with JSON. */
export function text(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

/** A task. Times are in milliseconds since 1970; null: not yet. */
export interface Task {
  activityLabel: string;
  created: number;
  started?: number | null;
  ended?: number | null;
  state?: string;
  finishStatus?: string | null;
  machineId?: string | null;
  /** Null: it reports none. */
  items?: number | null;
  failedItems?: number | null;
}

/** A task as the service lists it, which succeeds after 20 minutes unless it says otherwise. */
function rowOf({ activityLabel, created, started = created, ended = created + 1_200_000, ...task }: Task) {
  const { state = 'FINISHED', finishStatus = 'SUCCESS', machineId = 'runner-1', items = 1, failedItems = 0 } = task;
  const date = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    ...{ activityLabel, repositoryLabel: 'main', state, finishStatus, machineId },
    ...{ totalItems: items, failedItems, processedItems: items === null ? null : items - (failedItems ?? 0) },
    ...{ dateCreation: date(created), dateStartRunning: date(started), dateLastModified: date(ended) },
  };
}

/** The only page of the tasks, with the newest first. */
export function tasksPage(tasks: Task[]): string {
  const sorted = [...tasks].sort((a, b) => b.created - a.created);
  const content = sorted.map((task, index) => ({ id: index + 1, ...rowOf(task) }));
  const { length } = content;
  return JSON.stringify({
    ...{ content, number: 0, size: Math.max(1, length), totalElements: length, totalPages: 1 },
    ...{ numberOfElements: length, first: true, last: true, empty: length === 0 },
  });
}

/** A login succeeds, and there are no automations and no runners: a query waits for their names. */
const usual: Handlers = {
  login: (response) => text(response, '{"accessToken":"hostile-token","organizationLabel":"acme"}'),
  automation: (response) => text(response, '[]'),
  runner: (response) => text(response, '[]'),
};

/**
 * Runs work with the URL of its own service, which does what a test tells it to. It shares nothing with the simulator,
 * which is well-behaved: this one can send endlessly.
 */
export async function withHostile<T>(
  handlers: Handlers,
  work: (url: string) => Promise<T>,
  host = '127.0.0.1'
): Promise<T> {
  const answers: Handlers = { ...usual, ...handlers };
  const server = createServer(async ({ url = '' }, response) => {
    const route = (Object.keys(paths) as Route[]).find((name) => url.startsWith(paths[name]));
    await (route && answers[route])?.(response);
  });
  server.listen(0, host);
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    return await work(`http://${host}:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
