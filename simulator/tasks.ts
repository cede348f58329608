import type { Automation, Hours } from './automations';
import { DAY, dayOf } from './clock';
import type { SimulatorOptions } from './options';
import { Random, Wheel } from './random';

/** A task with its whole future. What a reader sees of it depends on the time. Times in ms. */
export interface Task {
  id: number;
  /** Index of its automation. */
  automation: number;
  /** Index of its runner; -1 if it never has one. */
  runner: number;
  created: number;
  /** Infinity if it is canceled in the queue. */
  started: number;
  /** Infinity if it doesn't time out. */
  timedOut: number;
  ended: number;
  canceled: boolean;
  /**
   * Drawn once, 0..1: SUCCESS if below its automation's success rate, so that changing the rate changes past tasks,
   * too.
   */
  luck: number;
  /** Items of the whole run; null if the robot reports none. */
  items: number | null;
  /** Share of the items in error if the run is not a success; 0..1. */
  errorShare: number;
}

/** Public name "state". The specification shows only START; the others are from public clients. */
export type State = 'START' | 'RUNNING' | 'TIMEOUT' | 'FINISHED' | 'CANCELED';

export type FinishStatus = 'SUCCESS' | 'FAILED' | 'PARTIALLY_COMPLETED';

/** Counts of items; processed + failed = total. */
export interface Items {
  processed: number;
  failed: number;
  total: number;
}

/** The state of a task at a time: START → RUNNING → (TIMEOUT →) FINISHED, START or RUNNING → CANCELED. */
export function stateAt(task: Task, now: number): State {
  if (now >= task.ended) {
    return task.canceled ? 'CANCELED' : 'FINISHED';
  }
  if (now >= task.timedOut) {
    return 'TIMEOUT';
  }
  return now >= task.started ? 'RUNNING' : 'START';
}

/** How a task finishes (or will finish) if its automation has this success rate, 0..1. */
export function outcome(task: Task, successRate: number): FinishStatus {
  if (task.luck < successRate) {
    return 'SUCCESS';
  }
  // A fixed share of the unsuccessful ones, however many there are: one in three, if there are items to divide.
  const missedBy = (task.luck - successRate) / (1 - successRate);
  const divisible = task.items === null || task.items > 1;
  return missedBy < 1 / 3 && divisible ? 'PARTIALLY_COMPLETED' : 'FAILED';
}

/** Items reported at a time: null before the run and for robots that report none, increasing during the run. */
export function itemsAt(task: Task, now: number, successRate: number): Items | null {
  if (task.items === null || now < task.started) {
    return null;
  }
  const end = Math.min(task.ended, task.timedOut);
  const progress = now >= end ? 1 : (now - task.started) / (end - task.started);
  const total = Math.floor(task.items * progress);
  const failed = Math.floor(errorsOf(task, task.items, successRate) * progress);
  return { processed: total - failed, failed, total };
}

function errorsOf(task: Task, items: number, successRate: number): number {
  if (task.canceled || items === 0) {
    return 0;
  }
  switch (outcome(task, successRate)) {
    case 'SUCCESS':
      return 0;
    case 'PARTIALLY_COMPLETED':
      return Math.min(items - 1, Math.ceil((items * task.errorShare) / 2));
    case 'FAILED':
      return Math.ceil(items * Math.max(0.5, task.errorShare));
  }
}

/** Time of the last visible change: null in the queue, then once a minute, finally its end. */
export function lastModifiedAt(task: Task, now: number): number | null {
  if (now >= task.ended) {
    return task.ended;
  }
  if (now >= task.timedOut) {
    return task.timedOut;
  }
  return now >= task.started ? task.started + Math.floor((now - task.started) / 60_000) * 60_000 : null;
}

/** What a test can do to a task. */
export const taskChanges = ['finish', 'cancel', 'stick', 'timeout', 'edit', 'remove'] as const;

export type TaskChange = (typeof taskChanges)[number];

/** The properties that change if a test changes the task now; undefined if the change is not possible. */
export function changed(task: Task, change: Exclude<TaskChange, 'remove'>, now: number): Partial<Task> | undefined {
  const state = stateAt(task, now);
  const open = state !== 'FINISHED' && state !== 'CANCELED';
  // A task that was canceled in the queue has no runner and no items, so it can't continue.
  const runs = task.started !== Infinity;
  switch (change) {
    case 'finish':
      return open && runs ? { started: Math.min(task.started, now), ended: now, canceled: false } : undefined;
    case 'cancel':
      return open
        ? { ...(state === 'START' && { started: Infinity, runner: -1 }), ended: now, canceled: true }
        : undefined;
    case 'stick':
      return runs
        ? { started: Math.min(task.started, now), timedOut: Infinity, ended: Infinity, canceled: false }
        : undefined;
    case 'timeout':
      return runs
        ? { started: Math.min(task.started, now), timedOut: now, ended: Infinity, canceled: false }
        : undefined;
    case 'edit':
      return !open && runs ? { items: (task.items ?? 0) + 1 } : undefined;
  }
}

const HOUR = 3_600_000;
const WEEKEND = 0.4;
const OFFICE_AT_WEEKEND = 0.15;
const EXACT_MODE_DAYS = 30;

/** IDs of a day start at the day's number times this. */
const IDS_A_DAY = 100_000;
/** IDs of tasks that a test adds start here within their day. */
const FIRST_ADDED = 90_000;
/** The number that fits before the IDs of the next day begin. */
export const MOST_ADDED = IDS_A_DAY - FIRST_ADDED;

/**
 * Weights of the 24 hours, in UTC: an office day from 8 to 18 o'clock in UTC−3 with a lunch break, nights, and any
 * time.
 */
const hourWeights: Record<Hours, number[]> = {
  office: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 9, 10, 9, 5, 6, 9, 9, 8, 6, 1, 0, 0],
  night: [2, 5, 6, 6, 5, 5, 4, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  always: [3, 3, 2, 2, 2, 2, 3, 3, 4, 4, 5, 6, 6, 6, 6, 5, 5, 6, 6, 6, 5, 4, 4, 3],
};

/** Generates the tasks of a world by day: each day depends only on the seed and the options. */
export class TaskGenerator {
  private readonly hours: Record<Hours, Wheel> = {
    office: new Wheel(hourWeights.office),
    night: new Wheel(hourWeights.night),
    always: new Wheel(hourWeights.always),
  };
  private readonly workday: Wheel;
  private readonly weekend: Wheel;
  private readonly runners: Wheel;

  /** @param automations at least one: every task belongs to one */
  constructor(
    private readonly options: SimulatorOptions,
    private readonly automations: Automation[]
  ) {
    this.workday = new Wheel(automations.map((automation) => automation.weight));
    this.weekend = new Wheel(
      automations.map(({ weight, hours }) => weight * (hours === 'office' ? OFFICE_AT_WEEKEND : 1))
    );
    // The first runner is the busiest; the last is nearly idle.
    this.runners = new Wheel(Array.from({ length: options.runners }, (_, index) => 1 / (index + 1)));
  }

  /** The tasks of a UTC day, oldest first. */
  day(day: number): Task[] {
    // 1 January 1970 was a Thursday.
    const weekend = (day + 4) % 7 === 0 || (day + 4) % 7 === 6;
    const random = new Random(this.options.seed, 'day', day);
    const count = Math.round(this.options.tasksPerDay * (weekend ? WEEKEND : 1));
    const starts = Array.from({ length: count }, () => {
      const automation = (weekend ? this.weekend : this.workday).spin(random);
      const hour = this.hours[this.automations[automation].hours].spin(random);
      return { automation, created: day * DAY + Math.floor((hour + random.unit()) * HOUR) };
    });
    starts.sort((a, b) => a.created - b.created);
    return starts.map(({ automation, created }, index) =>
      this.make(day * IDS_A_DAY + index + 1, automation, created, random)
    );
  }

  /**
   * Exactly this many tasks, oldest first, evenly spread over the 30 days before a time in milliseconds (or the
   * history, if it is shorter). The first hour stays empty, so that the count holds for an hour of a moving clock.
   */
  exactly(count: number, before: number): Task[] {
    const random = new Random(this.options.seed, 'exactly', count);
    const first = before - Math.min(EXACT_MODE_DAYS, this.options.historyDays) * DAY + HOUR;
    const step = (before - first) / count;
    return Array.from({ length: count }, (_, index) => {
      const created = first + Math.floor((index + random.unit()) * step);
      const id = dayOf(first) * IDS_A_DAY + index + 1;
      return this.make(id, this.workday.spin(random), created, random);
    });
  }

  /** An additional task for a test: the newest of the millisecond in which it was created, with one of today's IDs. */
  added(number: number, created: number, now: number): Task {
    const random = new Random(this.options.seed, 'added', number, created);
    const id = dayOf(now) * IDS_A_DAY + FIRST_ADDED + number;
    return this.make(id, this.workday.spin(random), created, random);
  }

  private make(id: number, automation: number, created: number, random: Random): Task {
    const { home, seconds, items } = this.automations[automation];
    const fate = random.unit();
    const queued = 2000 + random.waiting(random.chance(0.03) ? 1_500_000 : 75_000);
    const run = 5000 + random.waiting(seconds * 500) + seconds * random.between(300, 700);
    const runner =
      this.options.runners === 0 ? -1 : home !== null && random.chance(0.7) ? home : this.runners.spin(random);
    const whole = items === null || random.chance(0.04) ? null : Math.floor(random.waiting(items / 2) + items / 2);
    const task: Task = {
      id,
      automation,
      runner,
      created,
      started: created + Math.floor(queued),
      timedOut: Infinity,
      ended: created + Math.floor(queued + run),
      canceled: false,
      luck: random.unit(),
      items: whole,
      errorShare: random.unit(),
    };
    const late = random.between(2, 8) * HOUR;
    if (fate < 0.01) {
      return { ...task, canceled: true, started: Infinity, ended: task.started, runner: -1 };
    }
    if (fate < 0.02) {
      return { ...task, canceled: true, items: whole === null ? null : Math.floor(whole / 3) };
    }
    if (fate < 0.028) {
      return { ...task, timedOut: task.ended, ended: task.ended + Math.floor(late) };
    }
    return task;
  }
}
