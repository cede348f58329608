import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

import { startSimulator } from '../simulator';
import type { DataSource } from './backend/wire';
import type { Options } from './options';

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
