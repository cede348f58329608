import type { TaskRecord } from '../../../simulator/reports';
import { type Client, TASKS } from '../../../simulator/testing';

const dates = ['dateCreation', 'dateStartRunning', 'dateLastModified'] as const;

/** A task as the service lists it, with times in milliseconds since 1970. */
export type Task = Omit<TaskRecord, (typeof dates)[number]> &
  Record<(typeof dates)[number], number | null> & { dateCreation: number };

/** The tasks of the last days, newest first. */
export async function tasksOf(client: Client, days: number): Promise<Task[]> {
  const records = await client.all<TaskRecord>(`${TASKS}?days=${days}&size=2000`);
  return records.map((record) => {
    const times = dates.map((name) => [name, record[name] === null ? null : Date.parse(record[name])]);
    return { ...record, ...Object.fromEntries(times) } as Task;
  });
}

export const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

export const mean = (values: number[]) => (values.length > 0 ? sum(values) / values.length : null);

const results = (tasks: Task[]) =>
  tasks.flatMap(({ state, finishStatus }) => finishStatus ?? (state === 'TIMEOUT' ? 'FAILED' : []));

/** The few measures that these tests compare: a task that timed out has failed. */
export const measures = {
  tasks: (tasks: Task[]) => tasks.length,
  failedTasks: (tasks: Task[]) => results(tasks).filter((result) => result === 'FAILED').length,
  successRate: (tasks: Task[]) => mean(results(tasks).map((result) => Number(result === 'SUCCESS'))),
  failedItems: (tasks: Task[]) => sum(tasks.map((task) => task.failedItems ?? 0)),
  processedItems: (tasks: Task[]) => sum(tasks.map((task) => task.processedItems ?? 0)),
  totalItems: (tasks: Task[]) => sum(tasks.map((task) => task.totalItems ?? 0)),
};

/** The rows by a key. */
export function groups<T, Key>(rows: T[], keyOf: (row: T) => Key): Map<Key, T[]> {
  const found = new Map<Key, T[]>();
  for (const row of rows) {
    found.set(keyOf(row), [...(found.get(keyOf(row)) ?? []), row]);
  }
  return found;
}
