import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY } from '../../simulator/clock';
import { Random } from '../../simulator/random';
import type { Asker } from './asker';
import type { Reference } from './reference';
import { START, type SoakService } from './service';
import { nameOf, troubles, type Trouble } from './trouble';

const TICK = 500;
/** After so many ticks, a task in the middle of the list is removed. */
const TICKS_A_REMOVAL = 6;
/** Rotations, at one third and at two thirds of the day. */
export const ROTATIONS = 2;
/** How long it takes until the new key is saved after the old one has ended. */
const UNSAVED = 2_000;

/** The name of the first rotation, the second, … */
export const rotationName = (number: number) => `rotation ${number} of the key`;

/**
 * Simulates a day of the world in this many milliseconds, with tasks that are removed, faults that come and go, and a
 * key that is rotated.
 */
export async function passDay(
  service: SoakService,
  reference: Reference,
  asker: Asker,
  milliseconds: number,
  seed: number
): Promise<void> {
  const begun = performance.now();
  const share = () => Math.min(1, (performance.now() - begun) / milliseconds);
  await Promise.all([tick(service, reference, share, seed), disturb(service, asker, share, milliseconds, seed)]);
}

async function tick(service: SoakService, reference: Reference, share: () => number, seed: number): Promise<void> {
  const random = new Random(seed, 'removal');
  for (let ticks = 1; service.now < START + DAY; ticks++) {
    await sleep(TICK);
    if (ticks % TICKS_A_REMOVAL === 0) {
      const tasks = reference.rows({ queryType: 'tasks' }, service.now);
      const { id } = tasks[Math.floor(tasks.length * random.between(0.25, 0.75))];
      await service.remove(Number(id), reference);
    }
    // Whole seconds, as in the simulator's live clock.
    const time = START + Math.floor((share() * DAY) / 1000) * 1000;
    await service.advance(time - service.now);
  }
}

async function disturb(service: SoakService, asker: Asker, share: () => number, milliseconds: number, seed: number) {
  // In a short run, each has little time.
  const lastingMs = Math.min(4_000, Math.max(900, milliseconds / 25));
  let rotated = 0;
  for (let round = 0; share() < 1; round++) {
    for (const trouble of troubles(seed, round)) {
      if (share() >= 1) {
        break;
      }
      if (rotated < ROTATIONS && share() >= (rotated + 1) / (ROTATIONS + 1)) {
        await rotate(service, asker, ++rotated);
      }
      await play(service, asker, trouble, trouble.isTransient ? lastingMs / 2 : lastingMs);
      await sleep(lastingMs / 4);
    }
  }
}

async function play(service: SoakService, asker: Asker, trouble: Trouble, milliseconds: number): Promise<void> {
  const { says, isTransient, isSpoiling, ...fault } = trouble;
  const over = asker.causes.begin({ name: nameOf(trouble), route: fault.route, says, isTransient, isSpoiling });
  await service.setFault(fault);
  if (trouble.route === 'login') {
    // Logins happen only for a reason.
    await service.expireTokens();
  }
  await sleep(milliseconds);
  await service.clearFaults();
  over();
}

/**
 * The service's key changes, and the settings change a while later: queries in between can only fail, or use the cache.
 */
async function rotate(service: SoakService, asker: Asker, number: number): Promise<void> {
  const key = `soak-key-${randomUUID().slice(0, 8)}`;
  // Never over: a response for the old settings can arrive late.
  asker.causes.begin({ name: rotationName(number), says: /check the login and key/, updated: asker.settings.updated });
  await service.rotateKey(key);
  await sleep(UNSAVED);
  asker.saveKey(key);
}
