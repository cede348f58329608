import { getDataSet, serviceSortFields } from '../../datasets/datasets';
import type { SimulatorOptions } from '../../simulator';
import { resolveOptions } from '../../simulator/options';
import { Reports, taskRecord } from '../../simulator/reports';
import type { Task } from '../../simulator/tasks';
import { World } from '../../simulator/world';
import type { QueryParts } from '../../src/query';
import type { Row } from './asked';

/** More lists than the responses of a few seconds are compared with. */
const KEPT = 500;

/** A world without the tasks that had been removed at some moment. */
interface Era {
  /** The moment, in milliseconds since 1970. */
  since: number;
  world: World;
  reports: Reports;
}

/**
 * What the service lists at any moment: a second world with the same seed, never queried over HTTP. Apart from removed
 * tasks, a world is a function of its time, so this one can be set to a moment in the past.
 */
export class Reference {
  private readonly removed: number[] = [];
  /** Newest first. */
  private readonly eras: Era[] = [];
  private readonly kept = new Map<string, Row[]>();
  /** Ended tasks, by ID: they never change, and most tasks of a week have ended. */
  private readonly over = new Map<number, Row>();

  constructor(private readonly options: Partial<SimulatorOptions>) {
    this.begin(-Infinity);
  }

  /** From a moment on, a task is not listed. Moments must be passed in ascending order. */
  remove(id: number, since: number) {
    this.removed.push(id);
    this.begin(since);
  }

  private begin(since: number) {
    const world = new World(resolveOptions(this.options));
    if (this.removed.length > 0) {
      world.clock.freeze(since);
      const tasks = world.tasks(world.options.historyDays);
      const gone = tasks.slice(0, tasks.total).filter(({ id }) => this.removed.includes(id));
      gone.forEach((task) => world.changeTask(task, 'remove'));
    }
    this.eras.unshift({ since, world, reports: new Reports(world) });
  }

  private at(moment: number): Era {
    const era = this.eras.find(({ since }) => since <= moment)!;
    era.world.clock.freeze(moment);
    return era;
  }

  /** The service's rows for a query at a moment, in its order, before anything that the plugin does. */
  rows(query: QueryParts, moment: number): Row[] {
    const { queryType = 'tasks' } = query;
    // Following the range looks back to its start from the wall clock's current time, which is further than the service
    // remembers.
    const days = query.days ?? this.eras[0].world.options.historyDays;
    const sort = serviceSort(query);
    const key = [moment, queryType, days, sort?.field, sort?.order].join('/');
    const rows = this.kept.get(key) ?? this.read(query, moment, days);
    this.kept.delete(key);
    this.kept.set(key, rows);
    if (this.kept.size > KEPT) {
      this.kept.delete(this.kept.keys().next().value!);
    }
    return rows;
  }

  private read(query: QueryParts, moment: number, days: number): Row[] {
    const { world, reports } = this.at(moment);
    const sort = serviceSort(query);
    switch (query.queryType) {
      case 'automations':
        return reports.automations(days, sort ?? { field: 'label', order: 'asc' }).map(withoutIdleRates);
      case 'runners':
        return reports.runners(days, sort ?? { field: 'tasks', order: 'desc' }).map(withoutIdleRates);
      default: {
        const tasks = world.tasks(days);
        return tasks.slice(0, tasks.total).map((task) => this.task(world, task, moment));
      }
    }
  }

  private task(world: World, task: Task, moment: number): Row {
    const isOver = moment >= task.ended;
    const row = (isOver && this.over.get(task.id)) || cells(taskRecord(world, task));
    if (isOver) {
      this.over.set(task.id, row);
    }
    return row;
  }
}

/** The sort that a query leaves to the service, if any. */
export function serviceSort({ queryType, sort, format = 'table' }: QueryParts) {
  const fields = serviceSortFields(getDataSet(queryType)).map(({ name }) => name);
  return sort && format === 'table' && fields.includes(sort.field) ? sort : undefined;
}

const dates = ['dateCreation', 'dateStartRunning', 'dateLastModified', 'date'];

function cells(record: object): Row {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, dates.includes(name) && value !== null ? time(value) : value])
  );
}

const rates = ['successRate', 'uptimeRate', 'downtimeRate', 'utilizationRate'];

/** An automation or runner without tasks has no rate: the service's 0 claims that all of them failed. */
function withoutIdleRates(record: object): Row {
  const row = cells(record);
  const isIdle = (row.taskCount ?? row.tasks) === 0;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isIdle && rates.includes(name) ? null : value])
  );
}

// A date without an offset is UTC, but JavaScript reads it as local time.
function time(text: string): number {
  return Date.parse(/[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
}
