import { parseArgs } from 'node:util';

/** The duration of a soak test, and its parameters. */
export interface SoakOptions {
  /** Wall clock. */
  minutes: number;
  /** The same seed produces the same world, panels, rules, and order of faults. */
  seed: number;
  /** Tasks per working day: they determine how many pages a read has, and how often the world moves during it. */
  tasksPerDay: number;
}

/** The shortest run in which every fault occurs and both rotations fit. */
export const LEAST_MINUTES = 0.5;

const defaults: SoakOptions = { minutes: 5, seed: 1, tasksPerDay: 500 };

/** Parses the command line; throws an error that names the option and what is allowed. */
export function parseOptions(args: string[]): SoakOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args, options: { minutes: text, seed: text, 'tasks-per-day': text } });
  const minutes = Number(values.minutes ?? defaults.minutes);
  if (!(minutes >= LEAST_MINUTES && minutes <= 24 * 60)) {
    throw new Error(`--minutes is "${values.minutes}"; it must be a number from ${LEAST_MINUTES} to ${24 * 60}`);
  }
  return {
    minutes,
    seed: whole('seed', values.seed, defaults.seed, 2 ** 31 - 1),
    tasksPerDay: whole('tasks-per-day', values['tasks-per-day'], defaults.tasksPerDay, 10_000),
  };
}

function whole(name: string, text: string | undefined, fallback: number, most: number): number {
  const value = Number(text ?? fallback);
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new Error(`--${name} is "${text}"; it must be a whole number from 1 to ${most}`);
  }
  return value;
}
