import { after, before } from 'node:test';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../../simulator';

/** The simulator's counts since the last reset. */
export interface Requests {
  total: number;
  byRoute: Partial<Record<'login' | 'tasks' | 'automation' | 'runner' | 'other', number>>;
  logins: { total: number; succeeded: number };
  aborted: number;
  inFlight: number;
  maxInFlight: number;
  requests: Array<{ path: string; method: string; headers: string[]; userAgent: string | null; aborted: boolean }>;
}

/** A simulated service and its test routes. */
export class Service {
  private simulator!: Simulator;

  constructor(private readonly options: Partial<SimulatorOptions> = {}) {}

  async start(): Promise<void> {
    this.simulator = await startSimulator(this.options);
  }

  close(): Promise<void> {
    return this.simulator.close();
  }

  get url(): string {
    return this.simulator.url;
  }

  async requests(): Promise<Requests> {
    return (await this.call('GET', 'requests')) as Requests;
  }

  /** Resets the counts and clears every fault. */
  async reset(): Promise<void> {
    await this.call('DELETE', 'requests');
    await this.call('DELETE', 'faults');
  }

  async fault(fault: Record<string, unknown>): Promise<void> {
    await this.call('POST', 'faults', fault);
  }

  async expireTokens(): Promise<void> {
    await this.call('POST', 'expire-tokens');
  }

  private async call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.url}/simulator/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    if (!response.ok) {
      throw new Error(`${method} ${path}: ${await response.text()}`);
    }
    return response.json();
  }
}

/** Quiet data: the world is frozen at the start of the tests. */
export const frozen = new Date().toISOString();

/** Starts a simulator before the tests of a file and stops it after them. */
export function startService(options: Partial<SimulatorOptions> = {}): Service {
  const service = new Service(options);
  before(() => service.start());
  after(() => service.close());
  return service;
}
