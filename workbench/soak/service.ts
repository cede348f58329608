import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator';
import type { Fault } from '../../simulator/faults';
import type { SoakOptions } from './options';
import type { Reference } from './reference';
import { Timeline } from './timeline';

/**
 * A Monday before work begins, long ago: a range that ends at the world's current time looks back further than the
 * world remembers.
 */
export const START = Date.parse('2026-03-02T06:00:00Z');

/** Responses are never compared with older moments; in milliseconds. */
const KEPT = 120_000;

/** A company that remembers a week; at 500 tasks a day, reads have 1 to about 130 pages. */
export function soakWorld({ seed, tasksPerDay }: Omit<SoakOptions, 'minutes'>): Partial<SimulatorOptions> {
  const company = { seed, tasksPerDay, automations: 60, runners: 12 };
  return { ...company, frozen: new Date(START).toISOString(), historyDays: 7, latency: 20 };
}

/**
 * The simulated service and its clock, which the soak test moves: it records the moment at which the world stood, and
 * when.
 */
export class SoakService {
  /** Time of the world, in milliseconds since 1970. */
  now = START;
  private readonly moments = new Timeline<number>(KEPT);
  private endMoment = this.moments.begin(START);

  private constructor(private readonly simulator: Simulator) {}

  static async start(options: Partial<SimulatorOptions>): Promise<SoakService> {
    return new SoakService(await startSimulator(options));
  }

  get url(): string {
    return this.simulator.url;
  }

  close(): Promise<void> {
    return this.simulator.close();
  }

  /** The moments at which the world may have stood between two times of the wall clock. */
  momentsBetween(from: number, until: number): number[] {
    return this.moments.during({ from, until });
  }

  /** Moves the world on. Until the simulator has responded, both moments are possible. */
  async advance(milliseconds: number): Promise<void> {
    const time = this.now + milliseconds;
    const endMoment = this.moments.begin(time);
    await this.control('POST', 'clock', { freeze: new Date(time).toISOString() });
    this.endMoment();
    this.endMoment = endMoment;
    this.now = time;
  }

  /** Removes a task. The world stands a millisecond later from then on: each moment has one list. */
  async remove(id: number, reference: Reference): Promise<void> {
    const time = this.now + 1;
    reference.remove(id, time);
    const endMoment = this.moments.begin(time);
    await this.control('POST', 'tasks', { id, change: 'remove' });
    this.endMoment();
    this.endMoment = endMoment;
    this.now = time;
  }

  async setFault(fault: Fault): Promise<void> {
    await this.control('POST', 'faults', fault);
  }

  async clearFaults(): Promise<void> {
    await this.control('DELETE', 'faults');
  }

  async expireTokens(): Promise<void> {
    await this.control('POST', 'expire-tokens');
  }

  /** From now on, this key is valid, and the sessions of the previous one have ended. */
  async rotateKey(key: string): Promise<void> {
    await this.control('POST', 'key', { key });
  }

  /** Requests served so far, and failed logins. */
  async counts(): Promise<{ requests: number; failedLogins: number }> {
    const { total, logins } = await this.control('GET', 'requests');
    return { requests: total, failedLogins: logins.total - logins.succeeded };
  }

  private async control(method: string, path: string, body?: object) {
    const response = await fetch(`${this.url}/simulator/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    if (!response.ok) {
      throw new Error(`${method} /simulator/${path}: ${await response.text()}`);
    }
    return response.json();
  }
}
