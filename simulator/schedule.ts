import type { Automation } from './automations';
import type { Task } from './tasks';

/** A task that waits for a runner, and what follows from its start. */
export interface Job {
  task: Task;
  owner: Automation;
  /** Milliseconds that it runs, and after which it times out. */
  run: number;
  limit: number;
}

/**
 * Gives the jobs of a day to runners, each of which runs one task at a time. Among the waiting jobs, one of the highest
 * priority is next, and among these the one that has waited longest. At the end of the day, all runners restart: a task
 * ends then at the latest, and one that still waits is canceled. So a day depends on no other.
 *
 * @param jobs in the order in which they are ready
 * @param free when each runner can take the first task
 * @param shared the number of runners, from the first, that work for every automation
 */
export function schedule(jobs: Job[], free: number[], shared: number, end: number) {
  /** By priority, the oldest first. */
  const waiting: Job[][] = [[], [], []];
  let [now, next] = [-Infinity, 0];
  while (now < end) {
    for (; next < jobs.length && jobs[next].task.ready <= now; next++) {
      waiting[jobs[next].owner.priority].push(jobs[next]);
    }
    const queue = waiting.find(({ length }) => length > 0);
    const runner = queue ? freeRunner(queue[0].owner.home, free, shared, now) : -1;
    if (queue && runner >= 0) {
      const job = queue.shift()!;
      const ended = Math.min(now + job.run, end);
      const timedOut = now + job.limit < ended ? now + job.limit : Infinity;
      Object.assign(job.task, { runner, started: now, ended, timedOut });
      free[runner] = ended;
    } else {
      const freed = queue ? free.slice(0, shared).reduce((a, b) => Math.min(a, b), Infinity) : Infinity;
      now = Math.min(freed, jobs[next]?.task.ready ?? Infinity);
    }
  }
  [...waiting.flat(), ...jobs.slice(next)].forEach(({ task }) => Object.assign(task, { canceled: true, ended: end }));
}

/** The runner that takes a task now; -1 if none is free. */
function freeRunner(home: number | null, free: number[], shared: number, now: number): number {
  return home !== null && free[home] <= now ? home : free.findIndex((time, runner) => runner < shared && time <= now);
}
