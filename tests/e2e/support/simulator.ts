import type { Fault } from '../../../simulator/faults';
import type { RequestEntry } from '../../../simulator/recorder';
import { Client } from '../../../simulator/testing';

/** The address at which Grafana reaches a simulator of a test: that of INCIDENTS_HOST. */
export const reachable = (url: string) => url.replace(/\/\/[^:]+:/, `//${process.env.INCIDENTS_HOST}:`);

/** The simulator's test routes. */
export class Simulator {
  private readonly undone: Array<() => Promise<void>> = [];
  private readonly client: Client;

  constructor(url: string) {
    this.client = new Client(url);
  }

  /**
   * Requests for this number of days. Alert rules of this Grafana query the same service all the time: a test
   * identifies its own requests by a number of days that nothing else uses.
   */
  async requests(days: number): Promise<RequestEntry[]> {
    const { requests } = await this.client.control<{ requests: RequestEntry[] }>('GET', 'requests');
    const asksDays = new RegExp(`[?&](days|filterBy)=${days}(&|$)`);
    return requests.filter(({ path }) => asksDays.test(path));
  }

  async setFault(fault: Fault): Promise<void> {
    await this.client.control('POST', 'faults', fault);
  }

  async clearFaults(): Promise<void> {
    await this.client.control('DELETE', 'faults');
  }

  async freeze(at = new Date().toISOString()): Promise<void> {
    await this.client.control('POST', 'clock', { freeze: at });
  }

  /** Removes a task, which stays away. */
  async removeTask(id: number): Promise<void> {
    await this.client.control('DELETE', `tasks/${id}`);
  }

  /** Sets the share of an automation's tasks that succeed, of past ones, too; null restores it. */
  async setSuccessRate(label: string, rate: number | null): Promise<void> {
    const set = (to: number | null) => this.client.control('POST', `automations/${label}/success-rate`, { rate: to });
    await set(rate);
    this.undone.push(async () => void (await set(null)));
  }

  /** Resets the simulator: no recorded requests, no faults, no changes that can be undone, and a live clock. */
  async restore(): Promise<void> {
    for (const undo of this.undone.splice(0)) {
      await undo();
    }
    await this.client.control('DELETE', 'requests');
    await this.clearFaults();
    await this.client.control('POST', 'clock', { live: true });
  }
}
