import { test } from 'node:test';

import { type SimulatorOptions, startSimulator } from '.';
import { Client } from './testing';

/** A Monday at three in the afternoon in UTC−3: office hours. */
const MONDAY = '2026-11-02T18:00:00Z';

type Options = Partial<SimulatorOptions>;

/** Runs work with its own simulator, logged in, with quiet data unless the options say otherwise. */
export async function withSimulator(options: Options, work: (client: Client) => Promise<void>): Promise<void> {
  const simulator = await startSimulator({ frozen: MONDAY, ...options });
  try {
    const client = new Client(simulator.url);
    await client.login(options.login, options.key);
    await work(client);
  } finally {
    await simulator.close();
  }
}

/** A test with its own simulator. */
export function simulated(name: string, options: Options, work: (client: Client) => Promise<void>): void {
  test(name, { timeout: 120_000 }, () => withSimulator(options, work));
}
