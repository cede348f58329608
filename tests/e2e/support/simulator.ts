import { type APIRequestContext, expect } from '@playwright/test';

/** A request as recorded by the simulator. */
export interface ServedRequest {
  /** When it arrived, ISO 8601. */
  at: string;
  route: string;
  path: string;
  status: number | null;
  aborted: boolean;
}

export interface Fault {
  route: string;
  kind: string;
  delayMs?: number;
  status?: number;
  body?: string;
  times?: number;
}

/** The simulator's test routes. */
export class Simulator {
  private readonly undone: Array<() => Promise<void>> = [];

  constructor(
    private readonly request: APIRequestContext,
    private readonly url: string
  ) {}

  /**
   * Requests for this number of days. Alert rules of this Grafana query the same service all the time: a test
   * identifies its own requests by a number of days that nothing else uses.
   */
  async requests(days: number): Promise<ServedRequest[]> {
    const response = await this.request.get(`${this.url}/simulator/requests`);
    expect(response.ok()).toBe(true);
    const { requests } = (await response.json()) as { requests: ServedRequest[] };
    const asksDays = new RegExp(`[?&](days|filterBy)=${days}(&|$)`);
    return requests.filter(({ path }) => asksDays.test(path));
  }

  async setFault(fault: Fault): Promise<void> {
    expect((await this.request.post(`${this.url}/simulator/faults`, { data: fault })).ok()).toBe(true);
  }

  async clearFaults(): Promise<void> {
    await this.request.delete(`${this.url}/simulator/faults`);
  }

  async freeze(at = new Date().toISOString()): Promise<void> {
    expect((await this.request.post(`${this.url}/simulator/clock`, { data: { freeze: at } })).ok()).toBe(true);
  }

  /** Removes a task, which stays away. */
  async removeTask(id: number): Promise<void> {
    await this.post('tasks', { id, change: 'remove' });
  }

  /** Sets the share of an automation's tasks that succeed, of past ones, too; null restores it. */
  async setSuccessRate(label: string, rate: number | null): Promise<void> {
    await this.post(`automations/${label}/success-rate`, { rate });
    this.undone.push(() => this.post(`automations/${label}/success-rate`, { rate: null }));
  }

  private async post(path: string, data: object): Promise<void> {
    expect((await this.request.post(`${this.url}/simulator/${path}`, { data })).ok()).toBe(true);
  }

  /** Resets the simulator: no recorded requests, no faults, no changes that can be undone, and a live clock. */
  async restore(): Promise<void> {
    for (const undo of this.undone.splice(0)) {
      await undo();
    }
    await this.request.delete(`${this.url}/simulator/requests`);
    await this.clearFaults();
    await this.request.post(`${this.url}/simulator/clock`, { data: { live: true } });
  }
}
