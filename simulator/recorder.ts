import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';

/** The service's route of a request; other: none of them. */
export type Route = 'login' | 'tasks' | 'automation' | 'runner' | 'other';

/** A request as tests see it. Header values are omitted, except for the user agent: they contain tokens. */
export interface RequestEntry {
  /** Wall clock, ISO 8601. */
  at: string;
  route: Route;
  method: string;
  /** Path and query. */
  path: string;
  /** Null while it is in progress, and if it was dropped or the client left. */
  status: number | null;
  /** Names of the received headers. */
  headers: string[];
  userAgent: string | null;
  /** The kind of the fault that was applied. */
  fault: string | null;
  /** The client left before the response was sent. */
  aborted: boolean;
}

/** What one middleware passes to the next. */
export interface Env {
  Bindings: HttpBindings;
  Variables: { entry: RequestEntry };
}

const KEPT = 1000;

/** Counts requests to the service, for tests that check how many a query needs. */
export class Recorder {
  private entries: RequestEntry[] = [];
  private total = 0;
  private aborted = 0;
  private byRoute: Record<string, number> = {};
  private logins = { total: 0, succeeded: 0 };
  private inFlight = 0;
  private maxInFlight = 0;

  constructor(private readonly routeOf: (path: string) => Route) {}

  /** Everything since the last reset. Requests in flight are still counted after a reset. */
  summary() {
    const { total, byRoute, logins, aborted, inFlight, maxInFlight } = this;
    const requests = this.entries.slice(-KEPT);
    return { total, byRoute, logins, aborted, inFlight, maxInFlight, requests };
  }

  reset() {
    this.entries = [];
    this.total = this.aborted = 0;
    this.byRoute = {};
    this.logins = { total: 0, succeeded: 0 };
    this.maxInFlight = this.inFlight;
  }

  middleware(): MiddlewareHandler<Env> {
    return async (c, next) => {
      const entry = this.begin(c.env, this.routeOf(c.req.path));
      c.set('entry', entry);
      await next();
      // Before the response is sent, so that a client that has it can rely on the count.
      entry.status = entry.fault === 'drop' || entry.aborted ? null : c.res.status;
      if (entry.route === 'login' && entry.status === 200) {
        this.logins.succeeded++;
      }
    };
  }

  private begin({ incoming, outgoing }: HttpBindings, route: Route): RequestEntry {
    const entry: RequestEntry = {
      at: new Date().toISOString(),
      route,
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      status: null,
      headers: Object.keys(incoming.headers),
      userAgent: incoming.headers['user-agent'] ?? null,
      fault: null,
      aborted: false,
    };
    this.total++;
    this.byRoute[route] = (this.byRoute[route] ?? 0) + 1;
    this.logins.total += route === 'login' ? 1 : 0;
    this.maxInFlight = Math.max(this.maxInFlight, ++this.inFlight);
    this.entries.push(entry);
    if (this.entries.length > 2 * KEPT) {
      this.entries = this.entries.slice(-KEPT);
    }
    outgoing.once('close', () => {
      this.inFlight--;
      entry.aborted = !outgoing.writableFinished && entry.fault !== 'drop' && entry.fault !== 'truncate';
      this.aborted += entry.aborted ? 1 : 0;
    });
    return entry;
  }
}
