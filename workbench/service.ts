import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';

import { startSimulator } from '../simulator';
import type { DataSource } from './backend/wire';

/** The parsed command line. */
export interface Options {
  check: boolean;
  port: number;
  /** Whether to use another port if this one is in use: not if the user requested it. */
  anyOtherPort: boolean;
  /** A service other than the simulator. */
  service?: { url: string; login: string; key: string; runnersPath?: string };
}

const usualPort = 8080;

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new Error(`--port is "${text}"; it must be a number from 0 to 65535`);
  }
  return port;
}

/** Parses a command line (the help text is in `scripts/start.mjs`); throws an error that names what is wrong. */
export function parseOptions(argv: string[], env: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({
    args: argv,
    options: {
      check: { type: 'boolean' },
      port: { type: 'string' },
      url: { type: 'string' },
      login: { type: 'string' },
      'runners-path': { type: 'string' },
    },
  });
  const { check = false, port, url, login, 'runners-path': runnersPath } = values;
  if (url === undefined && (login !== undefined || runnersPath !== undefined)) {
    throw new Error('--login and --runners-path apply to a service: specify it with --url');
  }
  return {
    check,
    port: port === undefined ? usualPort : portOf(port),
    anyOtherPort: port === undefined,
    // Missing values stay empty: the plugin itself reports which setting it is and what it expects.
    service:
      url === undefined
        ? undefined
        : { url, login: login ?? env.INSIGHTS_LOGIN ?? '', key: env.INSIGHTS_KEY ?? '', runnersPath },
  };
}

/** The service to use, and the settings of the data source for it. */
export interface Service {
  name: string;
  dataSource: DataSource;
  close(): Promise<void>;
}

function dataSourceFor(url: string, key: string, jsonData: Record<string, unknown>): DataSource {
  return { uid: 'insights', name: 'Insights', url, jsonData, secureJsonData: { key }, updated: Date.now() };
}

/** What must be done by when at the simulated service, as Grafana's data source for it lists it. */
function deadlinesOfSimulator(): unknown[] {
  const file = path.join(__dirname, '../provisioning/datasources/insights.yaml');
  return parse(readFileSync(file, 'utf8')).datasources[0].jsonData.deadlines;
}

/** Uses the service in the options, or starts a simulated one. */
export async function openService({ service }: Options): Promise<Service> {
  if (service) {
    const { url, login, key, runnersPath } = service;
    const dataSource = dataSourceFor(url, key, { login, ...(runnersPath && { runnersPath }) });
    return { name: url, dataSource, close: async () => undefined };
  }
  const simulator = await startSimulator();
  return {
    name: `the simulator at ${simulator.url}`,
    // The simulator's own defaults.
    dataSource: dataSourceFor(simulator.url, 'demo-key', { login: 'demo', deadlines: deadlinesOfSimulator() }),
    close: () => simulator.close(),
  };
}
