import { type Automation, homeOf } from './automations';
import { localTime, offsetTime } from './dates';
import { runnerName } from './names';
import type { SimulatorOptions } from './options';
import { itemsAt, lastModifiedAt, outcome, stateAt, type Task } from './tasks';
import { shareOf, type Totals } from './totals';
import type { World } from './world';

/** Money for one hour of human work. */
const HOURLY = 38;
/** Working hours of one person in an average day, weekends counted in. */
const HOURS_A_DAY = (8 * 5) / 7;

/** A task as the specification's "Task record" has it. */
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

/** An automation as the specification's "Automation record" has it. An automation without tasks is up, and succeeds at 0. */
export function automationRecord(options: SimulatorOptions, automation: Automation, totals: Totals, days: number) {
  const rate = rateScale(options);
  const downtime = shareOf(totals.stuck, days);
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

/** A runner, of which the specification gives no more than these names, as what one can sort by. */
export function runnerRecord(options: SimulatorOptions, index: number, totals: Totals, days: number) {
  return {
    _id: runnerName(index),
    tasks: totals.tasks,
    items: totals.items,
    itemsErrorCount: totals.itemsError,
    utilizationRate: rateScale(options)(shareOf(totals.busy, days)),
  };
}

export type TaskRecord = ReturnType<typeof taskRecord>;
export type AutomationRecord = ReturnType<typeof automationRecord>;
export type RunnerRecord = ReturnType<typeof runnerRecord>;

/** Money and people: what the processed items would have cost by hand, against what the automation cost. */
function worth(options: SimulatorOptions, { minutesPerItem, costPerDay }: Automation, totals: Totals, days: number) {
  if (options.costs !== 'entered') {
    const none = options.costs === 'zero' ? 0 : null;
    return { roi: none, fte: none, savings: none };
  }
  const hours = (totals.itemsProcessed * minutesPerItem) / 60;
  const savings = hours * HOURLY;
  const investment = costPerDay * days;
  return {
    roi: round((savings - investment) / investment, 4),
    fte: round(hours / (HOURS_A_DAY * days), 4),
    savings: round(savings, 2),
  };
}

/** Four digits behind the point of a fraction, two of a percentage: the same precision. */
function rateScale(options: SimulatorOptions): (fraction: number) => number {
  return options.rates === 'percent' ? (fraction) => round(fraction * 100, 2) : (fraction) => round(fraction, 4);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
