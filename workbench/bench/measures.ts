import { readFileSync } from 'node:fs';

import { frameJson } from '../backend/frames';
import { Backend } from '../backend/host';
import type { DataSource } from '../backend/wire';
import { type MeasuredService, startService } from './simulator';

/** A figure: a ratio, its terms, and its target. */
export interface Figure {
  name: string;
  value: number;
  aim?: string;
  detail: string;
}

const inFlight = 8;
const pageSize = 20;

export async function withService<T>(
  tasks: number,
  latency: number,
  work: (service: MeasuredService) => Promise<T>,
  ...more: string[]
) {
  const service = await startService(tasks, latency, more);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

export async function withBackend<T>(work: (backend: Backend) => Promise<T>): Promise<T> {
  const backend = await Backend.start();
  try {
    return await work(backend);
  } finally {
    await backend.stop();
  }
}

/** (a) A cold read of 500 pages at 20 ms per page, compared with the fewest possible round trips. */
export function coldRead(): Promise<Figure> {
  const pages = 500;
  const latency = 20;
  return withService(pages * pageSize, latency, async (service) => {
    const times: number[] = [];
    for (let run = 0; run < 3; run++) {
      // Each run has its own backend: no token, no connection, no cache.
      times.push(await withBackend(async (backend) => (await readTasks(backend, service.dataSource)).ms));
    }
    const best = Math.min(...times);
    const floor = (1 + Math.ceil((pages - 1) / inFlight)) * latency;
    return {
      name: 'a. cold read of 500 pages ÷ floor',
      value: best / floor,
      aim: '≤ 1.15',
      detail: `${best.toFixed(0)} ms, login included (runs: ${times.map((ms) => ms.toFixed(0)).join(', ')}); floor ${floor} ms`,
    };
  });
}

/** (b) The requests for 12 equal simultaneous queries, compared with the number of pages. */
export function sharedRead(): Promise<Figure> {
  const pages = 100;
  return withService(pages * pageSize, 20, (service) =>
    withBackend(async (backend) => {
      await Promise.all(Array.from({ length: 12 }, () => readTasks(backend, service.dataSource)));
      const requests = await service.takeRequests();
      return {
        name: 'b. requests for 12 equal queries ÷ pages',
        value: requests / pages,
        aim: '1.0',
        detail: `${requests} requests, ${pages} pages`,
      };
    })
  );
}

interface Load {
  rows: number;
  pages: number;
  bytes: number;
  cpuPerRecord: number;
  /** Peak resident memory, and resident memory before the query. */
  idle: number;
  peak: number;
}

function load(tasks: number, ...more: string[]): Promise<Load> {
  const read = (service: MeasuredService) =>
    withBackend(async (backend) => {
      const idle = peakMemory(backend.pid);
      const before = cpuSeconds(backend.pid);
      const { rows, pages, bytes } = await readTasks(backend, service.dataSource);
      const cpuPerRecord = ((cpuSeconds(backend.pid) - before) / rows) * 1e6;
      return { rows, pages, bytes, cpuPerRecord, idle, peak: peakMemory(backend.pid) };
    });
  return withService(tasks, 0, read, ...more);
}

const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

function memory(name: string, { peak, idle, bytes, pages }: Load): Figure {
  return {
    name,
    value: peak / bytes,
    aim: '≤ 2.9',
    detail: `${mebibytes(peak)} resident at most (${mebibytes(idle)} before), ${mebibytes(bytes)} read in ${pages} pages`,
  };
}

/** (d) Memory for 100,000 tasks, and (e) how the cost per record grows from 10,000 to 100,000 tasks. */
export async function growth(): Promise<Figure[]> {
  const small = await load(10_000);
  const large = await load(100_000);
  const largePages = await load(100_000, '--page-size', '200');
  return [
    memory('d. peak memory for 100,000 tasks ÷ JSON read', large),
    memory('   the same with pages of 200', largePages),
    {
      name: 'e. processor time a record, 100,000 ÷ 10,000 tasks',
      value: large.cpuPerRecord / small.cpuPerRecord,
      aim: '≤ 1 is linear',
      detail: `${large.cpuPerRecord.toFixed(1)} µs ÷ ${small.cpuPerRecord.toFixed(1)} µs`,
    },
  ];
}

/** The cost of a query for all tasks of the last 30 days. */
export interface Reading {
  rows: number;
  pages: number;
  /** Bytes of JSON that the backend read from the service. */
  bytes: number;
  /** Duration of the whole query, in milliseconds. */
  ms: number;
}

/** Queries the backend for all tasks as a table; throws an error if it fails. */
export async function readTasks(backend: Backend, dataSource: DataSource): Promise<Reading> {
  const to = Date.now();
  const query = {
    refId: 'A',
    json: { queryType: 'tasks', days: 30 },
    from: to - 30 * 86_400_000,
    to,
    intervalMs: 60_000,
    maxDataPoints: 1_000,
  };
  const started = performance.now();
  const { A: answer } = await backend.queryData(dataSource, [query]);
  const ms = performance.now() - started;
  if (answer.error) {
    throw new Error(answer.error);
  }
  const { schema } = frameJson(answer.frames[0]);
  const stats = (schema.meta?.stats ?? []) as Array<{ displayName: string; value: number }>;
  const stat = (name: string) => stats.find(({ displayName }) => displayName === name)?.value ?? NaN;
  return { rows: stat('Rows read'), pages: stat('Pages read'), bytes: stat('Bytes received'), ms };
}

// /proc counts in ticks of 10 ms on every Linux that Node.js supports.
const ticksPerSecond = 100;

/** Peak memory of a process so far, in bytes (Linux). */
export function peakMemory(pid: number): number {
  const [, kb] = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmHWM:\s+(\d+) kB/m) ?? [];
  return Number(kb) * 1024;
}

/** Processor time of a process so far, in seconds (Linux). */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is a name in parentheses, which can contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
