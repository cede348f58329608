import { type SimulatorOptions, startSimulator } from '../../simulator';
import { Client } from '../../simulator/testing';
import { resultsJson } from '../backend/frames';
import { Backend } from '../backend/host';
import { processorTime } from '../backend/resources';

const DAY = 86_400_000;

/** What some queries cost. */
export interface Cost {
  /** Requests for tasks. */
  requests: number;
  seconds: number;
  /** Seconds of a core, of the backend. */
  processor: number;
  /** Received for the first of them. */
  bytes: number;
  /** What the answers warn about, such as rows that do not fit. */
  warnings: string[];
}

/** A backend that knows nothing yet, with a service whose clock stands still. */
export interface Scene {
  /** Sends the query once for each of these days, all at once, with the data source of a number. */
  ask: (days: number[], index?: number) => Promise<Cost>;
  pid: number;
}

interface Given {
  service: Partial<SimulatorOptions>;
  settings: Record<string, unknown>;
  /** Of tasks. */
  query?: object;
}

export async function withScene<T>({ service, settings, query }: Given, work: (scene: Scene) => Promise<T>) {
  const { url, close } = await startSimulator({ ...service, frozen: new Date().toISOString() });
  const backend = await Backend.start();
  const client = new Client(url);
  const saved = { jsonData: { login: 'demo', ...settings }, secureJsonData: { key: 'demo-key' }, updated: Date.now() };

  const ask: Scene['ask'] = async (days, index = 0) => {
    await client.control('DELETE', 'requests');
    const to = Date.now();
    const range = { from: to - 30 * DAY, to, intervalMs: 60_000, maxDataPoints: 1_000 };
    const queries = days.map((of, at) => ({
      ...{ ...range, refId: `${at}`, json: { queryType: 'tasks', days: of, ...query } },
    }));
    const [began, busy] = [performance.now(), processorTime(backend.pid)];
    const answers = await backend.queryData({ uid: `load-${index}`, name: 'Load', url, ...saved }, queries);
    const seconds = (performance.now() - began) / 1000;
    const processor = processorTime(backend.pid) - busy;
    const results = Object.values(resultsJson(answers));
    const error = results.find((one) => one.error)?.error;
    if (error !== undefined) {
      throw new Error(error);
    }
    const metas = results.map(({ frames }) => frames[0].schema.meta);
    const notices = metas.flatMap((meta) => meta?.notices ?? []).filter(({ severity }) => severity === 'warning');
    const { byRoute } = await client.control<{ byRoute: { tasks?: number } }>('GET', 'requests');
    return {
      ...{ requests: byRoute.tasks ?? 0, seconds, processor, warnings: notices.map(({ text }) => text) },
      bytes: metas[0]?.stats?.find(({ displayName }) => displayName === 'Bytes received')?.value ?? NaN,
    };
  };
  try {
    return await work({ ask, pid: backend.pid });
  } finally {
    await backend.stop();
    await close();
  }
}
