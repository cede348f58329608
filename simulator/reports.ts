import { orderBy } from 'lodash';

import { type Automation, homeOf, runnerName } from './automations';
import { DAY } from './clock';
import type { SimulatorOptions } from './options';
import { itemsAt, lastModifiedAt, outcome, stateAt, type Task } from './tasks';
import type { World } from './world';

/**
 * The automations and runners lists. They require a pass over all tasks, so they are cached until time or a test
 * changes the world.
 */
export class Reports {
  private readonly kept = new Map<string, unknown>();
  private version = '';

  constructor(private readonly world: World) {}

  automations(days: number, sort: SortOrder): AutomationRecord[] {
    return this.keep(`automations/${days}/${sort.field}/${sort.order}`, () =>
      sortRows(this.automationRows(days), sort)
    );
  }

  runners(days: number, sort: SortOrder): RunnerRecord[] {
    return this.keep(`runners/${days}/${sort.field}/${sort.order}`, () => sortRows(this.runnerRows(days), sort));
  }

  private automationRows(days: number): AutomationRecord[] {
    const { options, automations } = this.world;
    const sums = this.sums(days);
    return automations.map((automation, index) =>
      automationRecord(options, automation, sums.automations[index], sums.days)
    );
  }

  private runnerRows(days: number): RunnerRecord[] {
    const sums = this.sums(days);
    return sums.runners.map((totals, index) => runnerRecord(this.world.options, index, totals, sums.days));
  }

  private sums(days: number): Sums {
    return this.keep(`sums/${days}`, () => sumUp(this.world, days));
  }

  private keep<T>(key: string, make: () => T): T {
    if (this.version !== this.world.version) {
      this.kept.clear();
      this.version = this.world.version;
    }
    // A key always identifies values of one type: it starts with the kind of value.
    const value = (this.kept.get(key) as T | undefined) ?? make();
    this.kept.set(key, value);
    return value;
  }
}

/** Totals over the tasks of one automation or one runner. */
interface Totals {
  tasks: number;
  finished: number;
  succeeded: number;
  items: number;
  itemsError: number;
  itemsProcessed: number;
  /** Milliseconds in which a runner was working. */
  busy: number;
  /** Milliseconds for which tasks ran on after they had timed out. */
  stuck: number;
}

/** Totals for every automation and runner, by their index, and the length of the window. */
interface Sums {
  automations: Totals[];
  runners: Totals[];
  /** Days that the totals cover: the window, as far as the service remembers. */
  days: number;
}

/** Totals exactly the tasks that the tasks route lists for this window, in one pass. */
function sumUp(world: World, days: number): Sums {
  const now = world.clock.now();
  const automations = world.automations.map(none);
  const runners = world.runners.map(none);
  world.tasks(days).each((task) => {
    const successRate = world.successRateOf(world.ownerOf(task));
    add(automations[task.automation], task, now, successRate);
    if (task.runner >= 0 && now >= task.started) {
      add(runners[task.runner], task, now, successRate);
    }
  });
  return { automations, runners, days: Math.min(days, world.options.historyDays) };
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
  totals.busy += Math.max(0, Math.min(task.ended, now) - task.started);
  totals.stuck += Math.max(0, Math.min(task.ended, now) - task.timedOut);
}

/** Cost of one hour of human work. */
const HOURLY = 38;
/** Working hours of one person on an average day, weekends included. */
const HOURS_A_DAY = (8 * 5) / 7;

/** A task in the form of the specification's "Task record". */
export function taskRecord(world: World, task: Task) {
  const now = world.clock.now();
  const owner = world.ownerOf(task);
  const successRate = world.successRateOf(owner);
  const state = stateAt(task, now);
  const modified = lastModifiedAt(task, now);
  const items = itemsAt(task, now, successRate);
  const running = now >= task.started;
  return {
    id: task.id,
    state,
    finishStatus: state === 'FINISHED' ? outcome(task, successRate) : null,
    activityLabel: owner.label,
    repositoryLabel: owner.repository,
    machineId: running && task.runner >= 0 ? runnerName(task.runner) : null,
    dateLastModified: modified === null ? null : offsetTime(modified),
    dateCreation: offsetTime(task.created),
    dateStartRunning: running ? offsetTime(task.started) : null,
    processedItems: items?.processed ?? null,
    failedItems: items?.failed ?? null,
    totalItems: items?.total ?? null,
  };
}

/**
 * An automation in the form of the specification's "Automation record". Without tasks, it is up and has a success rate
 * of 0.
 */
function automationRecord(options: SimulatorOptions, automation: Automation, totals: Totals, days: number) {
  const rate = rateScale(options);
  const downtime = totals.stuck / (days * DAY);
  return {
    label: automation.label,
    name: automation.name,
    machineId: homeOf(automation),
    description: automation.description,
    organizationLabel: options.organization,
    repositoryLabel: automation.repository,
    date: localTime(automation.created),
    taskCount: totals.tasks,
    sumItems: totals.items,
    sumItemsError: totals.itemsError,
    sumItemsProcessed: totals.itemsProcessed,
    uptimeRate: rate(1 - downtime),
    downtimeRate: rate(downtime),
    successRate: rate(totals.finished === 0 ? 0 : totals.succeeded / totals.finished),
    ...worth(options, automation, totals, days),
  };
}

/** A runner. The specification contains only these names, as sort fields. */
function runnerRecord(options: SimulatorOptions, index: number, totals: Totals, days: number) {
  return {
    _id: runnerName(index),
    tasks: totals.tasks,
    items: totals.items,
    itemsErrorCount: totals.itemsError,
    utilizationRate: rateScale(options)(totals.busy / (days * DAY)),
  };
}

export type TaskRecord = ReturnType<typeof taskRecord>;
export type AutomationRecord = ReturnType<typeof automationRecord>;
export type RunnerRecord = ReturnType<typeof runnerRecord>;

/** Money and people: what the processed items would have cost by hand, compared with the cost of the automation. */
function worth(options: SimulatorOptions, { minutesPerItem, costPerDay }: Automation, totals: Totals, days: number) {
  if (options.costs !== 'entered') {
    const none = options.costs === 'zero' ? 0 : null;
    return { roi: none, fte: none, savings: none };
  }
  const hours = (totals.itemsProcessed * minutesPerItem) / 60;
  const savings = hours * HOURLY;
  const investment = costPerDay * days;
  return {
    roi: rateScale(options)((savings - investment) / investment),
    fte: round(hours / (HOURS_A_DAY * days), 4),
    savings: round(savings, 2),
  };
}

/** Four decimals for a fraction, two for a percentage: the same precision. */
function rateScale(options: SimulatorOptions): (fraction: number) => number {
  return options.rates === 'percent' ? (fraction) => round(fraction * 100, 2) : (fraction) => round(fraction, 4);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** The order of a list. */
export interface SortOrder {
  field: string;
  order: 'asc' | 'desc';
}

/** Returns a sorted copy. Equal rows keep their order, in either direction. */
const sortRows = <T extends object>(rows: T[], { field, order }: SortOrder) =>
  orderBy(rows, (row) => row[field as keyof T] ?? '', order);

/** In the format of the specification's `dateCreation`: ISO 8601 with milliseconds and a UTC offset. */
function offsetTime(time: number): string {
  return localTime(time) + '+00:00';
}

/** In the format of an automation's `date` in the specification: milliseconds, no offset. It is UTC. */
function localTime(time: number): string {
  return new Date(time).toISOString().slice(0, -1);
}
