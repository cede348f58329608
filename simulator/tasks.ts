/** A task with its whole future. What a reader sees of it depends on the time. Times in ms. */
export interface Task {
  id: number;
  /** Index of its automation. */
  automation: number;
  /** Index of its runner; -1 if it never has one. */
  runner: number;
  created: number;
  /** From when on a runner can take it: a moment after its creation, or its minimum start time. */
  ready: number;
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
