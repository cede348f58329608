import { stateAt, type Task } from './tasks';

/** What a test can make of a task. */
export const taskChanges = ['finish', 'cancel', 'stick', 'edit', 'remove'] as const;

export type TaskChange = (typeof taskChanges)[number];

/** What becomes of a task that a test changes now; undefined where that cannot happen to it. */
export function changed(task: Task, change: Exclude<TaskChange, 'remove'>, now: number): Partial<Task> | undefined {
  const state = stateAt(task, now);
  const open = state !== 'FINISHED' && state !== 'CANCELED';
  // One that is canceled in the queue has no runner, no items and nothing to run on with.
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
    case 'edit':
      return !open && runs ? { items: (task.items ?? 0) + 1 } : undefined;
  }
}
