import { setTimeout as sleep } from 'node:timers/promises';

import { peakMemory, residentMemory } from '../backend/resources';
import { type Cost, withScene } from './scene';

/** What to measure: data sources of one process, each with so many tasks in 30 days. */
export interface Scale {
  dataSources: number;
  tasks: number;
  /** How often each is refreshed, and every how many milliseconds. */
  rounds: number;
  every: number;
}

/** What it took. Memory is that of the backend, in bytes. */
export interface Measured {
  /** The first read of one data source. */
  first: Cost;
  /** Peak memory of the first reads of all of them. */
  peak: number;
  /** A refresh of one data source, nothing changed: the quickest of some. */
  refresh: Cost;
  /** A minute in which all are refreshed. */
  steady: Pick<Cost, 'requests' | 'processor'>;
  /** At the end. */
  memory: number;
  warnings: string[];
}

const MIB = 2 ** 20;
const MINUTE = 60_000;
const REFRESHES = 3;
const days = [30];

/** Measures with a service that answers at once, honors the page size, and to which nothing happens. */
export function measure({ dataSources, tasks, rounds, every }: Scale): Promise<Measured> {
  const given = {
    service: { tasksTotal: tasks, size: 'honored' } as const,
    settings: { cacheTTL: 0, maxRows: 10_000_000 },
    query: { format: 'numeric', measure: 'tasks', groupBy: ['state'] },
  };
  return withScene(given, async ({ ask, pid }) => {
    const first = await ask(days, 0);
    for (let index = 1; index < dataSources; index++) {
      await ask(days, index);
    }
    const peak = peakMemory(pid);
    const refreshes: Cost[] = [];
    for (let time = 0; time < REFRESHES; time++) {
      refreshes.push(await ask(days, dataSources - 1));
    }
    const [refresh] = refreshes.sort((one, other) => one.seconds - other.seconds);
    const costs: Cost[] = [];
    for (let time = 0; time < rounds * dataSources; time++) {
      const pause = sleep(every / dataSources);
      costs.push(await ask(days, time % dataSources));
      await pause;
    }
    const planned = (rounds * every) / MINUTE; // A busy machine takes longer.
    const sum = (of: 'requests' | 'processor') => costs.reduce((total, cost) => total + cost[of], 0) / planned;
    const warnings = [...new Set([first, ...refreshes, ...costs].flatMap((cost) => cost.warnings))];
    const steady = { requests: sum('requests'), processor: sum('processor') };
    return { first, peak, refresh, steady, memory: residentMemory(pid), warnings };
  });
}

const cost = ({ requests, seconds, processor }: Cost) =>
  `${requests} requests, ${seconds.toFixed(2)} s, of which a core is busy for ${processor.toFixed(2)} s`;

const mib = (bytes: number) => `${Math.round(bytes / MIB).toLocaleString('en-US')} MiB`;

/** A table of what it took, in Markdown. */
export function rowsOf({ dataSources, tasks }: Scale, measured: Measured): string[] {
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
