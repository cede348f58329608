/** One task: what will have happened to it by the end. What a reader sees of it follows from the time. Times in ms. */
export interface Task {
  id: number;
  /** Index of its automation. */
  automation: number;
  /** Index of its runner; -1 when it never has one. */
  runner: number;
  created: number;
  /** Infinity when it is canceled in the queue. */
  started: number;
  /** Infinity when it keeps its time. */
  timedOut: number;
  ended: number;
  canceled: boolean;
  /** Drawn once, 0..1: SUCCESS when below its automation's success rate, so that a changed rate changes past tasks too. */
  luck: number;
  /** Items of the whole run; null when the robot reports none. */
  items: number | null;
  /** Share of the items in error, should the run not be a success; 0..1. */
  errorShare: number;
}

/** Public name "state"; the specification shows START alone, the others are from public clients. */
export type State = 'START' | 'RUNNING' | 'TIMEOUT' | 'FINISHED' | 'CANCELED';

export type FinishStatus = 'SUCCESS' | 'FAILED' | 'PARTIALLY_COMPLETED';

/** Counts of items; processed + failed = total. */
export interface Items {
  processed: number;
  failed: number;
  total: number;
}

/** Where a task stands at a time: START → RUNNING → (TIMEOUT →) FINISHED, START or RUNNING → CANCELED. */
export function stateAt(task: Task, now: number): State {
  if (now >= task.ended) {
    return task.canceled ? 'CANCELED' : 'FINISHED';
  }
  if (now >= task.timedOut) {
    return 'TIMEOUT';
  }
  return now >= task.started ? 'RUNNING' : 'START';
}

/** How a task finishes (or will) when its automation succeeds at this rate, 0..1. */
export function outcome(task: Task, successRate: number): FinishStatus {
  if (task.luck < successRate) {
    return 'SUCCESS';
  }
  // A fixed part of those that miss, however many miss: one in three, as far as there are items to divide.
  const missedBy = (task.luck - successRate) / (1 - successRate);
  const divisible = task.items === null || task.items > 1;
  return missedBy < 1 / 3 && divisible ? 'PARTIALLY_COMPLETED' : 'FAILED';
}

/** Items that are reported at a time: null before the run and for robots that report none, growing during the run. */
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

/** When a reader last saw it change: null in the queue, then once a minute, at last its end. */
export function lastModifiedAt(task: Task, now: number): number | null {
  if (now >= task.ended) {
    return task.ended;
  }
  if (now >= task.timedOut) {
    return task.timedOut;
  }
  return now >= task.started ? task.started + Math.floor((now - task.started) / 60_000) * 60_000 : null;
}
