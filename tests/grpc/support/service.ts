import { after, before } from 'node:test';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../../simulator';
import { Client } from '../../../simulator/testing';

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

  /** A client that has not logged in. */
  get client(): Client {
    return new Client(this.url);
  }

  /** Resets the counts and clears every fault. */
  async reset(): Promise<void> {
    await this.client.control('DELETE', 'requests');
    await this.client.control('DELETE', 'faults');
  }

  async expireTokens(): Promise<void> {
    await this.client.control('POST', 'expire-tokens');
  }

  async fault(fault: Record<string, unknown>): Promise<void> {
    await this.client.control('POST', 'faults', fault);
  }
}

/** Quiet data: the world is frozen at the start of the tests. */
export const frozen = new Date().toISOString();

/** Starts a simulator before the tests of a file and stops it after them. It sends large pages to whoever asks for them. */
export function startService(options: Partial<SimulatorOptions> = {}): Service {
  const service = new Service({ size: 'honored', ...options });
  before(() => service.start());
  after(() => service.close());
  return service;
}
