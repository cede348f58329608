import { type Simulator, startSimulator } from '../../simulator';
import { Client } from '../../simulator/testing';

/** A Monday at work, in UTC−3: the same seed is the same day. */
const START = Date.parse('2026-03-02T12:00:00Z');
/** Few days with many tasks: at any time, tasks of several pages have not ended. */
const REMEMBERED = 3;

/** The days that queries ask for; all of them where a query follows the time range. */
export const windows = [1, 2, REMEMBERED];

/** The simulated service and its clock, which moves in steps. */
export class Service {
  now = START;
  /** When the clock moved last, in milliseconds of `performance.now()`. */
  movedAt = performance.now();
  readonly client: Client;

  private constructor(
    private readonly simulator: Simulator,
    /** The same world, without faults, and with the key that it had at first. */
    readonly flawless: Simulator
  ) {
    this.client = new Client(simulator.url);
    this.moveTo(START);
  }

  static async start(seed: number): Promise<Service> {
    const company = { seed, tasksPerDay: 1_500, automations: 50, runners: 40, historyDays: REMEMBERED };
    const simulator = await startSimulator({ ...company, frozen: new Date(START).toISOString(), latency: 20 });
    return new Service(simulator, await startSimulator({}, simulator.world));
  }

  get url(): string {
    return this.simulator.url;
  }

  async close(): Promise<void> {
    await Promise.all([this.simulator.close(), this.flawless.close()]);
  }

  /** Moves the clock, which the service also announces, and removes the task at a share of the list's length. */
  moveTo(time: number, removed?: number) {
    const { world } = this.simulator;
    this.now = time;
    world.clock.freeze(time);
    world.options.clockSkew = (time - Date.now()) / 1000;
    if (removed !== undefined) {
      const tasks = world.tasks(REMEMBERED);
      world.removeTask(tasks.slice(Math.floor(tasks.total * removed), 1)[0]);
    }
    this.movedAt = performance.now();
  }
}
