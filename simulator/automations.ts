import { DAY } from './clock';
import { type Character, characterAt, runnerName, strayCharacter } from './names';
import type { SimulatorOptions } from './options';
import { Random } from './random';

/** An automation of the world: what it is like, and what follows from the seed. */
export interface Automation extends Character {
  /** When it was made, in milliseconds: its `date`. */
  created: number;
  /** Index of the runner that takes most of its tasks; null when any may. */
  home: number | null;
  /** Minutes that a person would need for one item. */
  minutesPerItem: number;
  /** Money spent on it for each day. */
  costPerDay: number;
}

/** Two years in which automations were made, long before any task that the service still remembers. */
const FIRST_MADE = Date.parse('2023-01-09T12:00:00Z');
const MADE_WITHIN = 700 * DAY;

/** The automations that the service lists. */
export function makeAutomations(options: SimulatorOptions): Automation[] {
  return Array.from({ length: options.automations }, (_, index) => {
    const { repeated, ...character } = characterAt(index);
    const random = new Random(options.seed, 'automation', index);
    const automation = makeAutomation(character, index, random, options.runners);
    if (repeated) {
      automation.success = random.between(0.92, 0.99);
      automation.weight *= random.between(0.2, 1);
    }
    return automation;
  });
}

/** The automation of tasks in a world that lists none. */
export function makeStray(options: SimulatorOptions): Automation {
  return makeAutomation(strayCharacter, 0, new Random(options.seed, 'stray'), options.runners);
}

function makeAutomation(character: Character, index: number, random: Random, runners: number): Automation {
  return {
    ...character,
    created: FIRST_MADE + Math.floor(random.unit() * MADE_WITHIN),
    home: runners === 0 || index % 4 === 3 ? null : index % runners,
    // A task replaces some ten minutes to three quarters of an hour of work, however many items that takes.
    minutesPerItem: random.between(10, 45) / (character.items ?? 1),
    costPerDay: random.between(40, 160),
  };
}

/** The `machineId` of an automation: its runner, or null. */
export function homeOf(automation: Automation): string | null {
  return automation.home === null ? null : runnerName(automation.home);
}
