import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request, as the service recorded it. */
export interface Noted {
  /** Time of arrival, in milliseconds of `performance.now()`. */
  at: number;
  route: Route | 'other';
  url: URL;
  page: number;
  token: string;
  /** The body of a login; empty for other requests. */
  body: string;
}

export type Route = 'login' | 'tasks' | 'automation' | 'runner';
export type Handler = (request: Noted, response: ServerResponse) => unknown;
export type Handlers = Partial<Record<Route, Handler>>;

const paths: Record<Route, string> = {
  login: '/api/v2/workspace/login',
  tasks: '/api/v1/insights/tasks',
  automation: '/api/v1/insights/automation',
  runner: '/api/v1/insights/runner',
};

/** The response of a route without a handler. */
const noRows: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"content":[],"totalElements":0}');
};

/** The response to a login unless a test says otherwise. */
export const credentials = { accessToken: 'hostile-token', organizationLabel: 'acme' };

// Matches the end of the path: a test can add a prefix to distinguish data sources.
const routeOf = ({ pathname }: URL): Noted['route'] =>
  (Object.keys(paths) as Route[]).find((route) => pathname.endsWith(paths[route])) ?? 'other';

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
  }
  return text;
}

/**
 * A service that does what a test tells it to. It shares nothing with the simulator, which is well-behaved: this one
 * can send endlessly, move its rows between two pages, or lie.
 */
export class Hostile {
  /** Every request so far, in order of arrival. */
  readonly requests: Noted[] = [];
  private readonly handlers = new Map<Noted['route'], Handler>();
  // Long searches need long URLs.
  private readonly server: Server = createServer({ maxHeaderSize: 64 << 10 }, (request, response) => {
    // Clients that disconnect in the middle of a response are what many of these tests are about.
    this.answer(request, response).catch(() => response.destroy());
  });

  constructor(handlers: Handlers = {}) {
    this.on('login', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(credentials));
    });
    Object.entries(handlers).forEach(([route, handler]) => this.on(route as Route, handler));
  }

  /** Sets the response of a route. A route without one has no rows. */
  on(route: Route, handler: Handler): this {
    this.handlers.set(route, handler);
    return this;
  }

  /** The requests of a route so far. */
  of(route: Route): Noted[] {
    return this.requests.filter((request) => request.route === route);
  }

  async start(): Promise<this> {
    await listening(this.server);
    return this;
  }

  get url(): string {
    return urlOf(this.server);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://service');
    const noted: Noted = {
      at: performance.now(),
      route: routeOf(url),
      url,
      page: Number(url.searchParams.get('page') ?? 0),
      token: String(request.headers.token ?? ''),
      body: await textOf(request),
    };
    this.requests.push(noted);
    const handler = this.handlers.get(noted.route) ?? noRows;
    await handler(noted, response);
  }
}

async function listening(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Runs work with its own service. */
export async function withHostile<T>(handlers: Handlers, work: (service: Hostile) => Promise<T>) {
  const service = await new Hostile(handlers).start();
  try {
    return await work(service);
  } finally {
    service.close();
  }
}
