import { setTimeout } from 'node:timers/promises';

import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

import { HttpError, oneOf, wholeNumber } from './input';
import type { Env, Route } from './recorder';

/** What can go wrong. simulator/README.md describes each kind. */
const faultKinds = ['status', 'delay', 'html', 'truncate', 'drop'] as const;

export type FaultKind = (typeof faultKinds)[number];

const faultRoutes = ['login', 'tasks', 'automation', 'runner', '*'] as const;

/** A fault that a test has set. */
export interface Fault {
  route: (typeof faultRoutes)[number];
  kind: FaultKind;
  /** HTTP status for the kinds status (500) and html (200). */
  status?: number;
  /** Value of a Retry-After header: seconds, or an HTTP date. */
  retryAfter?: number | string;
  /** Milliseconds for the kind delay (1000). */
  delayMs?: number;
  /** Body for the kinds status and html: text is sent unchanged, anything else as JSON. */
  body?: unknown;
  /** Number of requests to affect; absent: all, until the faults are cleared. */
  times?: number;
  /** Number of requests to let pass first (0). */
  afterRequests?: number;
}

/** The active faults. A request gets the first one that matches it. */
export class Faults {
  private faults: Fault[] = [];

  list(): Fault[] {
    return this.faults;
  }

  set(fault: Fault) {
    this.faults.push({ ...fault });
  }

  clear() {
    this.faults = [];
  }

  /** Returns the fault for a request and counts it as used; undefined if the request is served as usual. */
  take(route: Route): Fault | undefined {
    const fitting = this.faults.filter((fault) => fault.route === '*' || fault.route === route);
    const due = fitting.find((fault) => !fault.afterRequests);
    for (const fault of fitting) {
      if (fault.afterRequests) {
        fault.afterRequests--;
      }
    }
    if (due?.times !== undefined && --due.times === 0) {
      this.faults = this.faults.filter((fault) => fault !== due);
    }
    return due;
  }
}

/** Parses a posted fault. A 400 names what is wrong, so that a test never waits for a fault that can't happen. */
export function parseFault(input: Record<string, unknown>): Fault {
  const { route = '*', kind, status, retryAfter, delayMs, body, times, afterRequests, ...unknown } = input;
  if (Object.keys(unknown).length > 0) {
    throw new HttpError(400, `Unknown: ${Object.keys(unknown).join(', ')}`);
  }
  if (retryAfter !== undefined && typeof retryAfter !== 'number' && typeof retryAfter !== 'string') {
    throw new HttpError(400, 'retryAfter: must be seconds or an HTTP date');
  }
  return {
    route: oneOf('route', route, faultRoutes),
    kind: oneOf('kind', kind, faultKinds),
    // Of the other statuses, some have no body, and some are meaningless without further headers.
    status: status === 200 ? 200 : optionalWhole('status', status, 400, 599),
    retryAfter,
    delayMs: optionalWhole('delayMs', delayMs, 0, 3_600_000),
    body,
    times: optionalWhole('times', times, 1, Number.MAX_SAFE_INTEGER),
    afterRequests: optionalWhole('afterRequests', afterRequests, 0, Number.MAX_SAFE_INTEGER),
  };
}

function optionalWhole(name: string, value: unknown, least: number, most: number): number | undefined {
  return value === undefined ? undefined : wholeNumber(name, value, least, most);
}

type EnvContext = Context<Env>;

const PROXY_PAGE = '<!DOCTYPE html>\n<html><head><title>Gateway</title></head><body><h1>Gateway</h1></body></html>\n';

/** Applies the active faults, instead of the service's response or to it. */
export function playFaults(faults: Faults): MiddlewareHandler<Env> {
  return async (c, next) => {
    const fault = faults.take(c.get('entry').route);
    if (fault === undefined) {
      return next();
    }
    c.get('entry').fault = fault.kind;
    switch (fault.kind) {
      case 'delay':
        // A long delay must not keep the process alive when it is asked to stop.
        await setTimeout(fault.delayMs ?? 1000, undefined, { ref: false });
        return next();
      case 'truncate':
        await next();
        return truncate(c);
      default:
        return instead(c, fault);
    }
  };
}

function instead(c: EnvContext, fault: Fault): Response {
  switch (fault.kind) {
    case 'drop':
      c.env.incoming.socket.destroy();
      return RESPONSE_ALREADY_SENT;
    case 'html':
      return answer(c, fault.status ?? 200, fault.body ?? PROXY_PAGE, 'text/html; charset=utf-8');
    default:
      if (fault.retryAfter !== undefined) {
        c.header('Retry-After', String(fault.retryAfter));
      }
      return answer(c, fault.status ?? 500, fault.body ?? { message: 'Simulated fault' }, 'text/plain');
  }
}

/** Sends a text unchanged, with its content type, and anything else as JSON. */
function answer(c: EnvContext, status: number, body: unknown, textType: string): Response {
  const isText = typeof body === 'string';
  const type = isText ? textType : 'application/json';
  // Every status that parseFault accepts can have a body.
  return c.body(isText ? body : JSON.stringify(body), status as ContentfulStatusCode, { 'Content-Type': type });
}

/** Announces the whole body in Content-Length, sends half of it, and closes the connection. */
async function truncate(c: EnvContext): Promise<void> {
  const body = Buffer.from(await c.res.arrayBuffer());
  const { outgoing, incoming } = c.env;
  outgoing.writeHead(c.res.status, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => incoming.socket.end());
  // Hono ignores what a middleware returns once there is a response, and would send that response after the half.
  c.res = undefined;
  c.res = RESPONSE_ALREADY_SENT;
}
