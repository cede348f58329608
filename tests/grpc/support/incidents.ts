import { type Task, tasksPage } from './hostile';

const [minute, hour] = [60_000, 3_600_000];

/** An automation with a task an hour for 30 days, and what becomes of them after something has happened. */
export interface Incident {
  activityLabel: string;
  /** The runner; by default, runner-1. */
  machineId?: string;
  /** How long ago it happened. */
  hours: number;
  /** Another task instead of the one at this index since then, or none. */
  then?: (task: Task, index: number) => Task | undefined;
}

export const changes = {
  failing: (task) => ({ ...task, finishStatus: 'FAILED' }),
  empty: (task) => ({ ...task, items: 0 }),
  silent: () => undefined,
  waiting: (task) => ({ ...task, started: Infinity, ended: Infinity }),
  slow: (task) => ({ ...task, ended: task.created + 51 * minute }),
  /** One runs on, and none comes after it. */
  hung: (task, index) => (index === 0 ? { ...task, ended: Infinity } : undefined),
} satisfies Record<string, Incident['then']>;

/** A task as it is now: one that starts later waits, and one that ends later runs. */
function asOf(now: number, { started, ended, ...task }: Task): Task {
  const [waits, runs] = [Number(started) > now, Number(ended) > now];
  const open = { ...task, finishStatus: null, ended: null, items: null, failedItems: null };
  return waits
    ? { ...open, state: 'START', started: null, machineId: null }
    : { ...(runs ? { ...open, state: 'RUNNING' } : { ...task, ended }), started };
}

function tasksOf({ hours, then = (task) => task, ...task }: Incident, now: number): Task[] {
  return Array.from({ length: 30 * 24 }, (_, index) => Math.floor(hours) - index).flatMap((index) => {
    const created = now + (index - hours) * hour;
    const usual = { ...task, created, started: created + minute, ended: created + 6 * minute, items: 100 };
    const changed = index < 0 ? usual : then(usual, index);
    return changed ? asOf(now, changed) : [];
  });
}

/** A page with the tasks of several automations. */
export const pageOf = (incidents: Incident[], now: number) =>
  tasksPage(incidents.flatMap((incident) => tasksOf(incident, now)));
