import { setTimeout } from 'node:timers/promises';

import type { MiddlewareHandler } from 'hono';

import type { Env } from './recorder';

/**
 * Makes every request take so many milliseconds, the work on it included: what the simulator itself costs then stays out of
 * a benchmark. The timer is right to half a millisecond.
 */
export function takeTime(latency: number): MiddlewareHandler<Env> {
  return async (_c, next) => {
    const due = performance.now() + latency;
    await next();
    if (latency > 0) {
      // A long wait must not keep the process alive when it is asked to stop.
      await setTimeout(due - performance.now(), undefined, { ref: false });
    }
  };
}
