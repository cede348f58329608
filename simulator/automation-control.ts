import { wholeNumber } from './fault-input';
import { HttpError } from './http-error';
import type { World } from './world';

/** What changeAutomation takes. */
export const AUTOMATION_INPUT = '"listed": true or false, or "secondsOld": <whole number>';

/** Deletes an automation or brings it back, or makes it a young one, as a test asks for. */
export function changeAutomation(world: World, label: string, { listed, secondsOld }: Record<string, unknown>) {
  if ((listed === undefined) === (secondsOld === undefined) || !['undefined', 'boolean'].includes(typeof listed)) {
    throw new HttpError(400, `Expected a JSON object with ${AUTOMATION_INPUT}`);
  }
  const isKnown =
    typeof listed === 'boolean'
      ? world.setListed(label, listed)
      : world.setAge(label, wholeNumber('secondsOld', secondsOld, 0, world.options.historyDays * 86_400));
  if (!isKnown) {
    throw new HttpError(404, `No automation "${label}"`);
  }
  return { label, listed, secondsOld };
}
