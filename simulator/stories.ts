import { type Automation, sharedRunners } from './automations';
import { DAY, dayOf, HOUR } from './clock';
import type { SimulatorOptions } from './options';
import type { Task } from './tasks';

/** A story begins at 0:00 UTC every day and overlaps the next one, so that at any time, one has lasted for hours. */
const OVERLAP = 8 * HOUR;

/** A company in which stories happen has at least as many automations, runners, and tasks a day. */
const LEAST = { automations: 16, runners: 8, tasksPerDay: 200 };

/** Tasks at the end of a day's work that fail. */
const FAILURES = 3;

/** Almost 1: a task fails unless the success rate is 1. */
const UNLUCKY = 1 - 1e-9;

/**
 * What goes wrong every day, each day at another place, for people to find: an automation that nobody starts, one that
 * fails more often than usual, several failures in a row, a dead runner with a task that waits for it, and one that hangs
 * in its task. The first runner and the first automations are spared: something has to be reliable.
 */
export class Stories {
  private readonly around: number[];
  private readonly atNight: number[];

  private constructor(
    private readonly automations: Automation[],
    private readonly runners: number
  ) {
    const those = (hours: string) => automations.flatMap((one, index) => (one.hours === hours ? index : []));
    this.around = those('always').filter((index) => index !== this.find('stock-sync'));
    this.atNight = those('night');
  }

  /** The stories of a company; undefined in one that is too small, and where the number of tasks is exact. */
  static of(options: SimulatorOptions, automations: Automation[]): Stories | undefined {
    const { runners, tasksPerDay, tasksTotal } = options;
    const isLarge =
      automations.length >= LEAST.automations && runners >= LEAST.runners && tasksPerDay >= LEAST.tasksPerDay;
    return isLarge && tasksTotal === undefined ? new Stories(automations, runners) : undefined;
  }

  /** Whether nobody starts an automation at a time. */
  isSilent(automation: number, time: number): boolean {
    return storiesAt(time).some((day) => automation === pick(this.around, day));
  }

  /** Changes the luck of a day's tasks, in the order of their creation. */
  spoil(tasks: Task[], day: number) {
    let worse = 0;
    for (const task of tasks) {
      if (storiesAt(task.created).some((day) => task.automation === pick(this.around, day + 3))) {
        // Two of five succeed, and hardly ever three fail in a row: that is another story.
        task.luck = [1, 4].includes(worse++ % 5) ? 0 : UNLUCKY;
      }
    }
    for (const automation of [pick(this.atNight, day), this.find('customer-refunds')]) {
      const own = tasks.filter((task) => task.automation === automation && !task.canceled);
      const last = own.sort((a, b) => b.ended - a.ended).slice(0, FAILURES);
      last.forEach((task) => (task.luck = UNLUCKY));
    }
  }

  /** The tasks of a day that wait for the dead runner, and that hang. */
  tasks(
    day: number
  ): Array<Pick<Task, 'automation' | 'runner' | 'created' | 'ready' | 'started' | 'ended' | 'canceled'>> {
    const over = (day + 1) * DAY + OVERLAP;
    return [
      {
        automation: this.find('stock-sync'),
        runner: this.hanging(day),
        created: day * DAY + 1_000,
        ready: day * DAY + 3_000,
        started: day * DAY + 3_000,
        ended: over,
        canceled: true,
      },
      {
        automation: this.find('nota-fiscal-entrada'),
        runner: this.dead(day),
        created: day * DAY + 5 * HOUR,
        ready: over,
        started: over,
        ended: over + HOUR / 6,
        canceled: false,
      },
    ];
  }

  /** When each runner can take its first task of a day. */
  free(day: number): number[] {
    const free: number[] = Array(this.runners).fill(-Infinity);
    this.tasks(day - 1).forEach(({ runner, ended }) => (free[runner] = ended));
    [this.hanging(day), this.dead(day)].forEach((runner) => (free[runner] = Infinity));
    return free;
  }

  /** How many runners are out of order at a time of the day, in milliseconds. */
  missing(time: number): number {
    return time < OVERLAP ? 4 : 2;
  }

  private hanging(day: number): number {
    return 1 + (day % (sharedRunners(this.runners) - 1));
  }

  private dead(day: number): number {
    return 1 + ((day + 2) % (sharedRunners(this.runners) - 1));
  }

  private find(label: string): number {
    return this.automations.findIndex((one) => one.label === label);
  }
}

/** The days whose stories happen at a time. */
function storiesAt(time: number): number[] {
  const day = dayOf(time);
  return time < day * DAY + OVERLAP ? [day - 1, day] : [day];
}

const pick = <T>(of: T[], day: number): T => of[day % of.length];
