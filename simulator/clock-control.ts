import type { Clock } from './clock';
import { HttpError } from './http-error';

/** The clock as tests read it. */
export function clockState(clock: Clock) {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.frozen };
}

/** What setClock takes. */
export const CLOCK_INPUT = '"freeze": "<ISO 8601>", "advanceSeconds": <whole number> or "live": true';

/** Sets the clock as a test asks for, with one of the three. */
export function setClock(clock: Clock, { freeze, advanceSeconds, live }: Record<string, unknown>) {
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
