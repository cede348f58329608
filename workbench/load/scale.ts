import { setTimeout as sleep } from 'node:timers/promises';

import { startSimulator } from '../../simulator';
import { Client } from '../../simulator/testing';
import { resultsJson } from '../backend/frames';
import { Backend } from '../backend/host';
import { peakMemory, processorTime, residentMemory } from '../backend/resources';

/** What to measure: data sources of one process, each with so many tasks in 30 days. */
export interface Scale {
  dataSources: number;
  tasks: number;
  /** How often each is refreshed, and every how many milliseconds. */
  rounds: number;
  every: number;
}

/** What it took. Memory and processor, in seconds of a core, are those of the backend. */
export interface Cost {
  /** The first read of one data source. */
  first: { requests: number; seconds: number; processor: number; bytes: number };
  /** Peak memory of the first reads of all of them, in bytes. */
  peak: number;
  /** A refresh of one data source, nothing changed: the quickest of some. */
  refresh: { requests: number; seconds: number; processor: number };
  /** A minute in which all are refreshed. */
  steady: { requests: number; processor: number };
  /** At the end, in bytes. */
  memory: number;
  /** What the answers warn about, such as rows that do not fit. */
  warnings: string[];
}

const MIB = 2 ** 20;
const MINUTE = 60_000;
const DAYS = 30;
const REFRESHES = 3;

/** Measures with a service that answers at once, honors the page size, and to which nothing happens. */
export async function measure({ dataSources, tasks, rounds, every }: Scale): Promise<Cost> {
  const service = await startSimulator({ tasksTotal: tasks, size: 'honored', frozen: new Date().toISOString() });
  const backend = await Backend.start();
  const client = new Client(service.url);
  const jsonData = { login: 'demo', cacheTTL: 0, maxRows: 10_000_000 };
  const saved = { url: service.url, jsonData, secureJsonData: { key: 'demo-key' }, updated: Date.now() };
  const warnings = new Set<string>();

  const requestsSoFar = async () => (await client.json<{ byRoute: { tasks?: number } }>('/simulator/requests')).byRoute;
  const count = async (work: () => Promise<void>) => {
    const { tasks: before = 0 } = await requestsSoFar();
    const [began, busy] = [performance.now(), processorTime(backend.pid)];
    await work();
    const seconds = (performance.now() - began) / 1000;
    const processor = processorTime(backend.pid) - busy;
    return { requests: ((await requestsSoFar()).tasks ?? 0) - before, seconds, processor };
  };
  let bytes = 0;
  const ask = async (index: number) => {
    const to = Date.now();
    const json = { queryType: 'tasks', days: DAYS, format: 'numeric', measure: 'tasks', groupBy: ['state'] };
    const query = {
      refId: 'A',
      json,
      from: to - DAYS * 24 * 60 * MINUTE,
      to,
      intervalMs: MINUTE,
      maxDataPoints: 1_000,
    };
    const dataSource = { uid: `scale-${index}`, name: `Scale ${index}`, ...saved };
    const { A } = resultsJson(await backend.queryData(dataSource, [query]));
    if (A.error !== undefined) {
      throw new Error(A.error);
    }
    const { meta } = A.frames[0].schema;
    const { stats, notices = [] } = meta as {
      stats: Array<{ displayName: string; value: number }>;
      notices?: Array<{ severity: string; text: string }>;
    };
    notices.filter(({ severity }) => severity === 'warning').forEach(({ text }) => warnings.add(text));
    bytes = stats.find(({ displayName }) => displayName === 'Bytes received')!.value;
  };

  try {
    const first = { ...(await count(() => ask(0))), bytes };
    for (let index = 1; index < dataSources; index++) {
      await ask(index);
    }
    const peak = peakMemory(backend.pid);
    const refreshes = [];
    for (let time = 0; time < REFRESHES; time++) {
      refreshes.push(await count(() => ask(dataSources - 1)));
    }
    const refresh = refreshes.sort((one, other) => one.seconds - other.seconds)[0];
    const { requests, processor } = await count(async () => {
      for (let time = 0; time < rounds * dataSources; time++) {
        const pause = sleep(every / dataSources);
        await ask(time % dataSources);
        await pause;
      }
    });
    const memory = residentMemory(backend.pid);
    const planned = (rounds * every) / MINUTE; // A busy machine takes longer.
    const steady = { requests: requests / planned, processor: processor / planned };
    return { first, peak, refresh, steady, memory, warnings: [...warnings] };
  } finally {
    await backend.stop();
    await service.close();
  }
}

const cost = ({ requests, seconds, processor }: Cost['refresh']) =>
  `${requests} requests, ${seconds.toFixed(2)} s, of which a core is busy for ${processor.toFixed(2)} s`;

const mib = (bytes: number) => `${Math.round(bytes / MIB).toLocaleString('en-US')} MiB`;

/** A table of what it took, in Markdown. */
export function rowsOf({ dataSources, tasks }: Scale, measured: Cost): string[] {
  const { first, peak, refresh, steady, memory, warnings } = measured;
  const json = first.bytes * dataSources;
  const rows = [
    ['data sources × tasks', `${dataSources} × ${tasks.toLocaleString('en-US')}`],
    ['JSON of all first reads', mib(json)],
    ['a first read', cost(first)],
    ['peak memory ÷ JSON', `${mib(peak)}, ${(peak / json).toFixed(2)}`],
    ['a refresh, nothing changed', cost(refresh)],
    ['memory', mib(memory)],
    ['requests a minute', steady.requests.toFixed(0)],
    ['processor', `${((steady.processor / 60) * 100).toFixed(1)} % of a core`],
    ...warnings.map((text) => ['warning', text]),
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |`);
}
