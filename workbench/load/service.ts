import { dataSets, type DataSetName } from '../../schema/datasets';
import { type Simulator, startSimulator } from '../../simulator';
import { Reports, taskRecord } from '../../simulator/reports';
import { Client } from '../../simulator/testing';
import { type Row, rowOf } from '../reference';

/** A Monday at work, in UTC−3: the same seed is the same day. */
const START = Date.parse('2026-03-02T12:00:00Z');
/** Few days with many tasks: at any time, tasks of several pages have not ended. */
const REMEMBERED = 3;

/** The days that queries ask for; all of them where a query follows the time range. */
export const windows = [1, 2, REMEMBERED];

/** How long moments are kept, in milliseconds: longer than any answer takes. */
const KEPT = 60_000;

/** What the service listed from a time on, in milliseconds of `performance.now()`. */
export interface Moment {
  from: number;
  rows: (set: DataSetName | undefined, days: number | undefined) => Row[];
}

/**
 * The simulated service and its clock, which moves in steps. Both are in this process, so between two requests a step is
 * complete: a page is always as of one moment.
 */
export class Service {
  now = START;
  private moments: Moment[] = [];
  private readonly client: Client;
  private readonly reports: Reports;

  private constructor(private readonly simulator: Simulator) {
    this.client = new Client(simulator.url);
    this.reports = new Reports(simulator.world);
    this.moveTo(START);
  }

  static async start(seed: number): Promise<Service> {
    const company = { seed, tasksPerDay: 1_500, automations: 50, runners: 40, historyDays: REMEMBERED };
    return new Service(await startSimulator({ ...company, frozen: new Date(START).toISOString(), latency: 20 }));
  }

  get url(): string {
    return this.simulator.url;
  }

  close(): Promise<void> {
    return this.simulator.close();
  }

  /** Moves the clock, which the service also announces, and removes the task at a share of the list's length. */
  moveTo(time: number, removed?: number) {
    const { world } = this.simulator;
    this.now = time;
    world.clock.freeze(time);
    world.options.clockSkew = (time - Date.now()) / 1000;
    if (removed !== undefined) {
      const tasks = world.tasks(REMEMBERED);
      world.changeTask(tasks.slice(Math.floor(tasks.total * removed), 1)[0], 'remove');
    }
    const from = performance.now();
    // The first moment that is kept lasts until the second begins.
    this.moments = [
      ...this.moments.filter((_, index) => (this.moments[index + 1]?.from ?? from) > from - KEPT),
      this.take(from),
    ];
  }

  private take(from: number): Moment {
    const { world } = this.simulator;
    const all = world.tasks(REMEMBERED);
    const tasks = all.slice(0, all.total).map((task) => rowOf('tasks', taskRecord(world, task)));
    const lists = new Map<string, Row[]>();
    for (const days of windows) {
      lists.set(`tasks/${days}`, tasks.slice(0, world.tasks(days).total));
      const automations = this.reports.automations(days, { field: 'label', order: 'asc' });
      lists.set(
        `automations/${days}`,
        automations.map((record) => rowOf('automations', record))
      );
      const runners = this.reports.runners(days, { field: 'tasks', order: 'desc' });
      lists.set(
        `runners/${days}`,
        runners.map((record) => rowOf('runners', record))
      );
    }
    return { from, rows: (set = dataSets[0].name, days = REMEMBERED) => lists.get(`${set}/${days}`)! };
  }

  /** The moments from one time to another, in milliseconds of `performance.now()`. */
  between(from: number, until: number): Moment[] {
    return this.moments.filter(
      (moment, index) => moment.from <= until && (this.moments[index + 1]?.from ?? Infinity) >= from
    );
  }

  /** Calls one of the simulator's test routes. */
  async control(method: 'POST' | 'DELETE', path: string, body?: object): Promise<void> {
    const response = await this.client.send(method, `/simulator/${path}`, body);
    if (!response.ok) {
      throw new Error(`${method} /simulator/${path}: ${await response.text()}`);
    }
  }
}
