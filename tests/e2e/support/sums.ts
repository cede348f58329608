import { Client, TASKS } from '../../../simulator/testing';
import { type AutomationRecord, type RunnerRecord, type TaskRecord } from '../../../simulator/reports';

export const DAY = 86_400_000;

/** A task with its dates in milliseconds; null where the service has none. */
export interface Task extends Omit<TaskRecord, 'dateCreation' | 'dateStartRunning' | 'dateLastModified'> {
  created: number;
  started: number | null;
  modified: number | null;
}

/** What a frozen service lists, over the longest period that the tests look at. */
export class Listed {
  private constructor(
    /** Newest first. */
    readonly tasks: Task[],
    private readonly automationsOf: Map<number, AutomationRecord[]>,
    private readonly runnersOf: Map<number, RunnerRecord[]>,
    /** Where the service's clock stands. */
    readonly frozen: number
  ) {}

  /** Reads all tasks of 100 days, and the totals of every window of up to that many days. */
  static async read(url: string, login: string, key: string, frozen: number): Promise<Listed> {
    const days = 100;
    const client = new Client(url);
    await client.login(login, key);
    const tasks = await listTasks(url, login, key, days);
    const automations = new Map<number, AutomationRecord[]>();
    const runners = new Map<number, RunnerRecord[]>();
    for (let n = 1; n <= days; n++) {
      automations.set(n, (await client.automations(`?filterBy=${n}&size=2000&sort=taskCount,asc`)).content);
      runners.set(n, await client.runners(`?filterBy=${n}`));
    }
    return new Listed(tasks, automations, runners, frozen);
  }

  /** Totals of the last days, by label; of 0 days, none. */
  automations(days: number): AutomationRecord[] {
    return [...this.rarest(days)].sort((a, b) => compare(a.label, b.label));
  }

  /** The same, those with the fewest tasks first, as the service sorts them. */
  rarest(days: number): AutomationRecord[] {
    return this.automationsOf.get(days) ?? [];
  }

  runners(days: number): RunnerRecord[] {
    return this.runnersOf.get(days) ?? [];
  }
}

/** The tasks of so many days, newest first. */
export async function listTasks(url: string, login: string, key: string, days: number): Promise<Task[]> {
  const client = new Client(url);
  await client.login(login, key);
  return (await client.all<TaskRecord>(`${TASKS}?days=${days}&size=2000`)).map(withTimes);
}

function withTimes({ dateCreation, dateStartRunning, dateLastModified, ...task }: TaskRecord): Task {
  const at = (text: string | null) => (text === null ? null : Date.parse(text));
  return { ...task, created: Date.parse(dateCreation), started: at(dateStartRunning), modified: at(dateLastModified) };
}

export const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

export const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

export const mean = (values: number[]) => (values.length > 0 ? sum(values) / values.length : null);

/** The sum of what is reported; null if nothing is, and 0 without rows. */
export function sumOf(tasks: Task[], name: 'processedItems' | 'failedItems' | 'totalItems'): number | null {
  const known = tasks.map((task) => task[name]).filter((value) => value !== null);
  return known.length > 0 || tasks.length === 0 ? sum(known) : null;
}

const finished = (tasks: Task[]) => tasks.filter(({ finishStatus }) => finishStatus !== null);

const seconds = (tasks: Task[], from: (task: Task) => number | null, to: (task: Task) => number | null) =>
  tasks.flatMap((task) => {
    const [start, end] = [from(task), to(task)];
    return start !== null && end !== null ? (end - start) / 1000 : [];
  });

const durations = (tasks: Task[]) =>
  seconds(
    finished(tasks),
    ({ started }) => started,
    ({ modified }) => modified
  );

const queueTimes = (tasks: Task[]) =>
  seconds(
    tasks,
    ({ created }) => created,
    ({ started }) => started
  );

/** The 95th percentile, between two values where it is not one of them. */
function p95(values: number[]): number | null {
  const ordered = [...values].sort((a, b) => a - b);
  const at = 0.95 * (ordered.length - 1);
  const [below, above] = [ordered[Math.floor(at)], ordered[Math.ceil(at)]];
  return ordered.length > 0 ? below + (above - below) * (at - Math.floor(at)) : null;
}

/** The measures of tasks, as docs/query-editor.md defines them. */
export const measures = {
  tasks: (tasks: Task[]) => tasks.length,
  failedTasks: (tasks: Task[]) => tasks.filter(({ finishStatus }) => finishStatus === 'FAILED').length,
  successRate: (tasks: Task[]) => mean(finished(tasks).map(({ finishStatus }) => Number(finishStatus === 'SUCCESS'))),
  processedItems: (tasks: Task[]) => sumOf(tasks, 'processedItems'),
  failedItems: (tasks: Task[]) => sumOf(tasks, 'failedItems'),
  itemSuccessRate: (tasks: Task[]) => {
    const both = tasks.filter(({ processedItems, totalItems }) => processedItems !== null && totalItems !== null);
    const total = sumOf(both, 'totalItems');
    return total ? sumOf(both, 'processedItems')! / total : null;
  },
  duration: (tasks: Task[]) => mean(durations(tasks)),
  durationP95: (tasks: Task[]) => p95(durations(tasks)),
  queueTime: (tasks: Task[]) => mean(queueTimes(tasks)),
  queueTimeP95: (tasks: Task[]) => p95(queueTimes(tasks)),
};

/** Seconds since the newest of some tasks was created. */
export const sinceLastTask = (tasks: Task[], now: number) =>
  (now - Math.max(...tasks.map(({ created }) => created))) / 1000;

/** Seconds since the last success; null if there is none. */
export function sinceLastSuccess(tasks: Task[], now: number): number | null {
  const ends = tasks.filter(({ finishStatus }) => finishStatus === 'SUCCESS').map(({ modified }) => modified!);
  return ends.length > 0 ? (now - Math.max(...ends)) / 1000 : null;
}

/** Failures that ended after the last success, partial ones included. */
export function failuresInARow(tasks: Task[]): number {
  const good = tasks.filter(({ finishStatus }) => finishStatus === 'SUCCESS' || finishStatus === 'PARTIALLY_COMPLETED');
  const last = Math.max(...good.map(({ modified }) => modified!));
  return tasks.filter(({ finishStatus, modified }) => finishStatus === 'FAILED' && modified! > last).length;
}

/** The most seconds between the creations of two tasks in a row; null for fewer than five. */
export function gapMax(tasks: Task[]): number | null {
  const times = tasks.map(({ created }) => created).sort((a, b) => a - b);
  const gaps = times.slice(1).map((time, index) => (time - times[index]) / 1000);
  return tasks.length < 5 ? null : Math.max(...gaps);
}

/** When tasks ran within a time range, as [start, end) in milliseconds. A running task runs until now. */
function runs(tasks: Task[], from: number, to: number, now: number): Array<[number, number]> {
  return tasks.flatMap(({ state, started, modified }): Array<[number, number]> => {
    const end = state === 'RUNNING' ? now : modified;
    const run: [number, number] = [Math.max(started ?? Infinity, from), Math.min(end ?? -Infinity, to)];
    return run[0] < run[1] ? [run] : [];
  });
}

/** The most tasks that ran at the same moment. */
export function concurrency(tasks: Task[], from: number, to: number, now: number): number {
  const changes = runs(tasks, from, to, now).flatMap(([start, end]) => [
    { at: start, by: 1 },
    { at: end, by: -1 },
  ]);
  let [most, running] = [0, 0];
  for (const { by } of changes.sort((a, b) => a.at - b.at || a.by - b.by)) {
    running += by;
    most = Math.max(most, running);
  }
  return most;
}

/** The share of the part of a time range that has passed in which at least one task ran; null before it begins. */
export function occupancy(tasks: Task[], from: number, to: number, now: number): number | null {
  const until = Math.min(to, now);
  let [busy, covered] = [0, from];
  for (const [start, end] of runs(tasks, from, until, now).sort(([a], [b]) => a - b)) {
    busy += Math.max(0, end - Math.max(start, covered));
    covered = Math.max(covered, end);
  }
  return until > from ? busy / (until - from) : null;
}
