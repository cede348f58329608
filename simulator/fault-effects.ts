import { setTimeout } from 'node:timers/promises';

import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

import type { Fault, Faults } from './faults';
import type { Env } from './recorder';
import { spoil } from './wrong-types';

type EnvContext = Context<Env>;

const PROXY_PAGE = '<!DOCTYPE html>\n<html><head><title>Gateway</title></head><body><h1>Gateway</h1></body></html>\n';

/** Plays the faults that are set, in place of the service's answer or on it. */
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
      case 'wrong-types':
        await next();
        if (c.res.ok) {
          c.res = new Response(spoil(await c.res.text()), c.res);
        }
        return;
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
    case 'empty':
      return answer(c, 200, '', 'application/json');
    case 'shape':
      return answer(c, 200, { ok: true, data: { rows: [], next: null } }, 'application/json');
    default:
      if (fault.retryAfter !== undefined) {
        c.header('Retry-After', String(fault.retryAfter));
      }
      return answer(c, fault.status ?? 500, fault.body ?? { message: 'Simulated fault' }, 'text/plain');
  }
}

/** A text goes out as it is, with its type; anything else as JSON. */
function answer(c: EnvContext, status: number, body: unknown, textType: string): Response {
  const isText = typeof body === 'string';
  const type = isText ? textType : 'application/json';
  // All that parseFault lets through may have a body.
  return c.body(isText ? body : JSON.stringify(body), status as ContentfulStatusCode, { 'Content-Type': type });
}

/** Promises the whole body in Content-Length, sends half of it and closes the connection. */
async function truncate(c: EnvContext): Promise<void> {
  const body = Buffer.from(await c.res.arrayBuffer());
  const { outgoing, incoming } = c.env;
  outgoing.writeHead(c.res.status, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => incoming.socket.end());
  // Hono ignores what a middleware returns once there is a response, and would send that one after the half.
  c.res = undefined;
  c.res = RESPONSE_ALREADY_SENT;
}
