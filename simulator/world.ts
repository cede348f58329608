import { type Automation, makeAutomations, makeStray, runnerName } from './automations';
import { Clock, DAY, dayOf } from './clock';
import type { SimulatorOptions } from './options';
import { changed, MOST_ADDED, type Task, type TaskChange, TaskGenerator } from './tasks';

/** The simulated company: a pure function of seed, options and time, apart from what a test changes on purpose. */
export class World {
  readonly clock: Clock;
  /** What the automations route lists. */
  readonly automations: Automation[];
  /** What the runners route lists. */
  readonly runners: string[];
  /** What tasks point to; the list, or one stray automation when the list is empty. */
  private readonly owners: Automation[];
  private readonly history: History;
  private readonly generator: TaskGenerator;
  /** Success rates that a test has set, 0..1, by label. */
  private readonly rates = new Map<string, number>();
  /** Labels of automations that a test has deleted. */
  private readonly deleted = new Set<string>();
  private addedTasks = 0;
  private changes = 0;

  constructor(readonly options: SimulatorOptions) {
    this.clock = new Clock(options.frozen);
    this.automations = makeAutomations(options);
    this.runners = Array.from({ length: options.runners }, (_, index) => runnerName(index));
    this.owners = this.automations.length > 0 ? this.automations : [makeStray(options)];
    this.generator = new TaskGenerator(options, this.owners);
    this.history = new History(this.clock, options.historyDays, options.days === 'calendar', this.daySource());
  }

  /** Changes with everything that a test changes; with the time, it names a state of the world. */
  get version(): string {
    return `${this.clock.now()}/${this.changes}`;
  }

  tasks(days: number): Window {
    return this.history.window(days);
  }

  ownerOf(task: Task): Automation {
    return this.owners[task.automation];
  }

  /** SUCCESS among finished tasks that an automation has now, 0..1. */
  successRateOf(automation: Automation): number {
    return this.rates.get(automation.label) ?? automation.success;
  }

  /** Sets an automation's success rate, 0..1, for past and future tasks; null restores it. False: no such label. */
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

  /** Takes an automation out of the list, or back into it; its tasks stay. False: no such label. */
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

  /** Makes an automation one that came into being so many seconds ago: older tasks of it have never been. False: no such label. */
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
   * Adds so many tasks, created now or some seconds ago: every older one moves down as many rows. False: no ids are left
   * for them.
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

  /** Makes of a task what a test asks for. False: that cannot happen to it. */
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

  private daySource(): (day: number) => Task[] {
    const { tasksTotal } = this.options;
    if (tasksTotal === undefined) {
      return (day) => this.generator.day(day);
    }
    const days = new Map<number, Task[]>();
    for (const task of this.generator.exactly(tasksTotal, this.clock.now())) {
      const day = dayOf(task.created);
      const tasks = days.get(day);
      if (tasks === undefined) {
        days.set(day, [task]);
      } else {
        tasks.push(task);
      }
    }
    return (day) => days.get(day) ?? [];
  }
}

/** Consecutive tasks of one day's list, from `low` to before `high`. */
interface Stretch {
  tasks: Task[];
  low: number;
  high: number;
}

/** The tasks of a look back. Lists are cut by position, not copied: a page costs what is on it. */
class Window {
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
class History {
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
