import { DAY } from './clock';
import { itemsAt, outcome, stateAt, type Task } from './tasks';
import type { World } from './world';

/** Sums over the tasks of one automation, or of one runner. */
export interface Totals {
  tasks: number;
  finished: number;
  succeeded: number;
  items: number;
  itemsError: number;
  itemsProcessed: number;
  /** Milliseconds in which a runner worked. */
  busy: number;
  /** Milliseconds in which a timed out task stood still. */
  stuck: number;
}

/** Sums for every automation and runner, by their index, and the length of the look back. */
export interface Sums {
  automations: Totals[];
  runners: Totals[];
  /** Days that the sums are over: the look back, as far as the service remembers. */
  days: number;
}

/** Adds up the very tasks that the tasks route lists for this look back, in one walk. */
export function sumUp(world: World, days: number): Sums {
  const now = world.clock.now();
  // One more place than automations: where tasks of the stray automation go.
  const automations = Array.from({ length: world.automations.length + 1 }, none);
  const runners = Array.from({ length: world.runners.length }, none);
  world.tasks(days).each((task) => {
    const successRate = world.successRateOf(world.ownerOf(task));
    add(automations[task.automation], task, now, successRate);
    if (task.runner >= 0 && now >= task.started) {
      add(runners[task.runner], task, now, successRate);
    }
  });
  return { automations, runners, days: Math.min(days, world.options.historyDays) };
}

/** A part of the days as a rate, 0..1; never above 1, though tasks may overlap. */
export function shareOf(milliseconds: number, days: number): number {
  return Math.min(1, milliseconds / (days * DAY));
}

function none(): Totals {
  return { tasks: 0, finished: 0, succeeded: 0, items: 0, itemsError: 0, itemsProcessed: 0, busy: 0, stuck: 0 };
}

function add(totals: Totals, task: Task, now: number, successRate: number) {
  totals.tasks++;
  if (stateAt(task, now) === 'FINISHED') {
    totals.finished++;
    if (outcome(task, successRate) === 'SUCCESS') {
      totals.succeeded++;
    }
  }
  const items = itemsAt(task, now, successRate);
  if (items !== null) {
    totals.items += items.total;
    totals.itemsError += items.failed;
    totals.itemsProcessed += items.processed;
  }
  totals.busy += Math.max(0, Math.min(task.ended, task.timedOut, now) - task.started);
  totals.stuck += Math.max(0, Math.min(task.ended, now) - task.timedOut);
}
