import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '../backend/binary';
import { Backend } from '../backend/host';
import { cpuSeconds, peakMemory } from './proc';
import { readTasks } from './read';
import { startService, type MeasuredService } from './simulator';

/** One figure: a ratio, what it is made of, and what it should be. */
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

/** (a) A cold read of 500 pages at 20 ms a page, against the fewest round trips it can take. */
export function coldRead(): Promise<Figure> {
  const pages = 500;
  const latency = 20;
  return withService(pages * pageSize, latency, async (service) => {
    const times: number[] = [];
    for (let run = 0; run < 3; run++) {
      // A backend of its own for each run: no token, no connection, no cache.
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

/** (b) What 12 equal queries at once cost the service, against the pages there are. */
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

interface GoBench {
  nsPerRecord: number;
  allocs: number;
}

/** (c) Decoding and framing a record, against encoding/json into plain structs. */
export async function decoding(): Promise<Figure[]> {
  const args = [
    'test',
    './pkg/reads',
    '-run',
    '^$',
    '-bench',
    '^Benchmark(DecodeAndFrame|EncodingJSON)$',
    '-count',
    '3',
  ];
  const { stdout } = await promisify(execFile)('go', args, { cwd: root });
  const best = (name: string): GoBench => {
    const runs = [
      ...stdout.matchAll(new RegExp(`^Benchmark${name}\\S*\\s.*?(\\d+) ns/record.*?(\\d+) allocs/op`, 'gm')),
    ];
    return {
      nsPerRecord: Math.min(...runs.map(([, ns]) => Number(ns))),
      // The benchmark decodes 500 pages of 20 records in one operation.
      allocs: Math.min(...runs.map(([, , allocs]) => Number(allocs))) / (500 * pageSize),
    };
  };
  const ours = best('DecodeAndFrame');
  const plain = best('EncodingJSON');
  return [
    {
      name: 'c. decode and frame a record ÷ encoding/json',
      value: ours.nsPerRecord / plain.nsPerRecord,
      detail: `${ours.nsPerRecord} ns ÷ ${plain.nsPerRecord} ns`,
    },
    {
      name: '   allocations a record ÷ encoding/json',
      value: ours.allocs / plain.allocs,
      detail: `${ours.allocs.toFixed(1)} ÷ ${plain.allocs.toFixed(1)}`,
    },
  ];
}

interface Load {
  rows: number;
  bytes: number;
  cpuPerRecord: number;
  peak: number;
}

function load(tasks: number): Promise<Load> {
  return withService(tasks, 0, (service) =>
    withBackend(async (backend) => {
      const before = cpuSeconds(backend.pid);
      const { rows, bytes } = await readTasks(backend, service.dataSource);
      const cpuPerRecord = ((cpuSeconds(backend.pid) - before) / rows) * 1e6;
      return { rows, bytes, cpuPerRecord, peak: peakMemory(backend.pid) };
    })
  );
}

/** (d) Memory for 100,000 tasks, and (e) how the cost of a record grows from 10,000 to 100,000 of them. */
export async function growth(): Promise<Figure[]> {
  const small = await load(10_000);
  const large = await load(100_000);
  const mb = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
  return [
    {
      name: 'd. peak memory for 100,000 tasks ÷ JSON read',
      value: large.peak / large.bytes,
      detail: `${mb(large.peak)} resident at most, ${mb(large.bytes)} read, ${large.rows} rows`,
    },
    {
      name: 'e. processor time a record, 100,000 ÷ 10,000 tasks',
      value: large.cpuPerRecord / small.cpuPerRecord,
      aim: '≤ 1 is linear',
      detail: `${large.cpuPerRecord.toFixed(1)} µs ÷ ${small.cpuPerRecord.toFixed(1)} µs`,
    },
  ];
}
