import { type Clock, DAY, dayOf } from './clock';
import type { Task } from './tasks';

/** Consecutive tasks of one day's list, from `low` to before `high`. */
interface Stretch {
  tasks: Task[];
  low: number;
  high: number;
}

/** The tasks of a look back. Lists are cut by position, not copied: a page costs what is on it. */
export class Window {
  readonly total: number;

  /** @param stretches newest day first; within a day the oldest task is first */
  constructor(private readonly stretches: Stretch[]) {
    this.total = stretches.reduce((sum, { low, high }) => sum + high - low, 0);
  }

  /** So many tasks from an offset on, newest first. */
  slice(offset: number, count: number): Task[] {
    const found: Task[] = [];
    let skip = offset;
    for (const { tasks, low, high } of this.stretches) {
      for (let i = high - 1 - skip; i >= low && found.length < count; i--) {
        found.push(tasks[i]);
      }
      skip = Math.max(0, skip - (high - low));
    }
    return found;
  }

  each(visit: (task: Task) => void) {
    for (const { tasks, low, high } of this.stretches) {
      for (let i = low; i < high; i++) {
        visit(tasks[i]);
      }
    }
  }
}

/** The tasks that the service remembers, made a day at a time when first asked for. */
export class History {
  private readonly days = new Map<number, Task[]>();

  /**
   * @param makeDay gives the tasks of a UTC day, oldest first
   * @param historyDays days that are remembered
   * @param fromMidnight whether a look back begins with a UTC day, rather than N times 24 hours ago
   */
  constructor(
    private readonly clock: Clock,
    private readonly historyDays: number,
    private readonly fromMidnight: boolean,
    private readonly makeDay: (day: number) => Task[]
  ) {}

  /** Tasks created within the last N days, up to now. */
  window(days: number): Window {
    const now = this.clock.now();
    const back = now - Math.min(days, this.historyDays) * DAY;
    // The task of midnight itself is in.
    const from = this.fromMidnight ? dayOf(back) * DAY - 1 : back;
    this.forgetFarDays(dayOf(now));
    const stretches: Stretch[] = [];
    for (let day = dayOf(now); day >= dayOf(from); day--) {
      const tasks = this.day(day);
      // Both ends fall within a day; the days between are whole.
      const low = day === dayOf(from) ? countUpTo(tasks, from) : 0;
      const high = day === dayOf(now) ? countUpTo(tasks, now) : tasks.length;
      stretches.push({ tasks, low, high });
    }
    return new Window(stretches);
  }

  /** Puts a task where its creation time belongs, as the newest of that time. */
  add(task: Task) {
    const tasks = this.day(dayOf(task.created));
    tasks.splice(countUpTo(tasks, task.created), 0, task);
  }

  /** Takes a task out, as if it had never been. */
  remove(task: Task) {
    const tasks = this.day(dayOf(task.created));
    tasks.splice(tasks.indexOf(task), 1);
  }

  private day(day: number): Task[] {
    let tasks = this.days.get(day);
    if (tasks === undefined) {
      tasks = this.makeDay(day);
      this.days.set(day, tasks);
    }
    return tasks;
  }

  private forgetFarDays(today: number) {
    if (this.days.size > this.historyDays + 2) {
      for (const day of this.days.keys()) {
        if (day > today || day < today - this.historyDays) {
          this.days.delete(day);
        }
      }
    }
  }
}

/** How many tasks, oldest first, were created up to a time. */
function countUpTo(tasks: Task[], time: number): number {
  let low = 0;
  let high = tasks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tasks[middle].created <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
