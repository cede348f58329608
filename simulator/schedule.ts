import type { Automation, Priority } from './automations';
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
  const waiting: Record<Priority, Queue> = { 0: new Queue(), 1: new Queue(), 2: new Queue() };
  let [now, next] = [-Infinity, 0];
  while (now < end) {
    for (; next < jobs.length && jobs[next].task.ready <= now; next++) {
      waiting[jobs[next].owner.priority].add(jobs[next]);
    }
    const queue = [waiting[2], waiting[1], waiting[0]].find(({ first }) => first !== undefined);
    const runner = queue?.first && freeRunner(queue.first.owner.home, free, shared, now);
    if (queue?.first && runner !== undefined) {
      start(queue.first, runner, now, end);
      free[runner] = queue.first.task.ended;
      queue.remove();
    } else {
      now = Math.min(queue ? earliest(free, shared) : Infinity, jobs[next]?.task.ready ?? Infinity);
    }
  }
  const left = [...jobs.slice(next), ...Object.values(waiting).flatMap((queue) => queue.rest())];
  left.forEach(({ task }) => Object.assign(task, { canceled: true, ended: end }));
}

/** Starts a job on a runner; -1 for none. */
export function start({ task, run, limit }: Job, runner: number, now: number, end: number) {
  task.runner = runner;
  task.started = now;
  task.ended = Math.min(now + run, end);
  task.timedOut = now + limit < task.ended ? now + limit : Infinity;
}

function freeRunner(home: number | null, free: number[], shared: number, now: number): number | undefined {
  if (home !== null && free[home] <= now) {
    return home;
  }
  for (let runner = 0; runner < shared; runner++) {
    if (free[runner] <= now) {
      return runner;
    }
  }
  return undefined;
}

function earliest(free: number[], shared: number): number {
  let time = Infinity;
  for (let runner = 0; runner < shared; runner++) {
    time = Math.min(time, free[runner]);
  }
  return time;
}

/** First in, first out; taking out the first of an array would move all others. */
class Queue {
  private readonly jobs: Job[] = [];
  private taken = 0;

  get first(): Job | undefined {
    return this.jobs[this.taken];
  }

  add(job: Job) {
    this.jobs.push(job);
  }

  remove() {
    this.taken++;
  }

  rest(): Job[] {
    return this.jobs.slice(this.taken);
  }
}
