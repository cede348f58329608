import { type Automation, makeAutomations, makeStray, runnerName } from './automations';
import { Clock, DAY, dayOf } from './clock';
import { MOST_ADDED, TaskGenerator } from './generator';
import type { SimulatorOptions } from './options';
import { changed, type Task, type TaskChange } from './tasks';

/** The simulated company: a pure function of seed, options, and time, except for what a test changes on purpose. */
export class World {
  readonly clock: Clock;
  /** The automations that the route lists. */
  readonly automations: Automation[];
  /** The runners that the route lists. */
  readonly runners: string[];
  /** The owners of tasks: the list, or one stray automation if the list is empty. */
  private readonly owners: Automation[];
  private readonly history: History;
  private readonly generator: TaskGenerator;
  /** Success rates set by a test, 0..1, by label. */
  private readonly rates = new Map<string, number>();
  /** Labels of automations deleted by a test. */
  private readonly deleted = new Set<string>();
  private addedTasks = 0;
  private changes = 0;

  constructor(readonly options: SimulatorOptions) {
    this.clock = new Clock(options.frozen);
    this.automations = makeAutomations(options);
    this.runners = Array.from({ length: options.runners }, (_, index) => runnerName(index));
    this.owners = this.automations.length > 0 ? this.automations : [makeStray(options)];
    this.generator = new TaskGenerator(options, this.owners, this.clock.now());
    this.history = new History(this.clock, options.historyDays, options.days === 'calendar', (day) =>
      this.generator.day(day)
    );
  }

  /** Identifies a state of the world: changes with the time and with everything that a test changes. */
  get version(): string {
    return `${this.clock.now()}/${this.changes}`;
  }

  tasks(days: number): Window {
    return this.history.window(days);
  }

  ownerOf(task: Task): Automation {
    return this.owners[task.automation];
  }

  /** An automation's current share of SUCCESS among finished tasks, 0..1. */
  successRateOf(automation: Automation): number {
    return this.rates.get(automation.label) ?? automation.success;
  }

  /**
   * Sets an automation's success rate, 0..1, for past and future tasks; null restores it. Returns false if the label
   * doesn't exist.
   */
  setSuccessRate(label: string, rate: number | null): boolean {
    if (!this.owners.some((automation) => automation.label === label)) {
      return false;
    }
    if (rate === null) {
      this.rates.delete(label);
    } else {
      this.rates.set(label, rate);
    }
    this.changes++;
    return true;
  }

  /** Whether an automation is in the list. */
  lists(automation: Automation): boolean {
    return !this.deleted.has(automation.label);
  }

  /** Removes an automation from the list or restores it; its tasks stay. Returns false if the label doesn't exist. */
  setListed(label: string, listed: boolean): boolean {
    if (!this.automations.some((automation) => automation.label === label)) {
      return false;
    }
    if (listed) {
      this.deleted.delete(label);
    } else {
      this.deleted.add(label);
    }
    this.changes++;
    return true;
  }

  /**
   * Makes an automation this many seconds old and removes its older tasks. Returns false if the label doesn't exist.
   */
  setAge(label: string, seconds: number): boolean {
    const index = this.automations.findIndex((automation) => automation.label === label);
    if (index < 0) {
      return false;
    }
    const made = this.clock.now() - seconds * 1000;
    this.automations[index].created = made;
    const before: Task[] = [];
    this.tasks(this.options.historyDays).each((task) => {
      if (task.automation === index && task.created < made) {
        before.push(task);
      }
    });
    before.forEach((task) => this.history.remove(task));
    this.changes++;
    return true;
  }

  /**
   * Adds tasks, created now or some seconds ago: every older one moves down by as many rows. Returns false if there are
   * no IDs left for them.
   */
  addTasks(count: number, secondsAgo: number): boolean {
    if (this.addedTasks + count > MOST_ADDED) {
      return false;
    }
    const now = this.clock.now();
    for (let i = 0; i < count; i++) {
      this.history.add(this.generator.added(this.addedTasks++, now - secondsAgo * 1000, now));
    }
    this.changes++;
    return true;
  }

  /** Applies a test's change to a task. Returns false if the change is not possible. */
  changeTask(task: Task, change: TaskChange): boolean {
    if (change === 'remove') {
      this.history.remove(task);
    } else {
      const parts = changed(task, change, this.clock.now());
      if (parts === undefined) {
        return false;
      }
      Object.assign(task, parts);
    }
    this.changes++;
    return true;
  }
}

/** Consecutive tasks of one day's list, from `low` (inclusive) to `high` (exclusive). */
interface Stretch {
  tasks: Task[];
  low: number;
  high: number;
}

/** The tasks in a window. Lists are sliced by position, not copied: the cost of a page is its own length. */
class Window {
  readonly total: number;

  /** @param stretches newest day first; within a day, the oldest task first */
  constructor(private readonly stretches: Stretch[]) {
    this.total = stretches.reduce((sum, { low, high }) => sum + high - low, 0);
  }

  /** A number of tasks from an offset, newest first. */
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

/** The tasks that the service remembers, generated by day when first needed. */
class History {
  private readonly days = new Map<number, Task[]>();

  /**
   * @param makeDay returns the tasks of a UTC day, oldest first
   * @param historyDays days to remember
   * @param fromMidnight whether a window begins at the start of a UTC day, rather than N times 24 hours ago
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
    // Includes the task of midnight itself.
    const from = this.fromMidnight ? dayOf(back) * DAY - 1 : back;
    this.forgetFarDays(dayOf(now));
    const stretches: Stretch[] = [];
    for (let day = dayOf(now); day >= dayOf(from); day--) {
      const tasks = this.day(day);
      // Both ends are within a day; the days in between are complete.
      const low = day === dayOf(from) ? countUpTo(tasks, from) : 0;
      const high = day === dayOf(now) ? countUpTo(tasks, now) : tasks.length;
      stretches.push({ tasks, low, high });
    }
    return new Window(stretches);
  }

  /** Inserts a task at its creation time, as the newest of that time. */
  add(task: Task) {
    const tasks = this.day(dayOf(task.created));
    tasks.splice(countUpTo(tasks, task.created), 0, task);
  }

  /** Removes a task as if it had never existed. */
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

/** The number of tasks, ordered oldest first, that were created up to a time. */
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
