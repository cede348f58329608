import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { startSimulator } from '../../simulator';
import { Client } from '../../simulator/testing';
import type { World } from '../../simulator/world';
import { root } from '../backend/binary';
import { resultsJson } from '../backend/frames';
import { Backend } from '../backend/host';
import { peakMemory } from '../backend/resources';

/** A ratio with its terms. */
export interface Ratio {
  name: string;
  value: number;
  detail: string;
}

const DAY = 86_400_000;
const LATENCY = 20;
const PAGE = 20;
const MIB = 2 ** 20;

/** A backend that knows nothing yet, with a service whose clock stands still. */
interface Scene {
  /** Sends queries for the tasks of so many days at once; returns what they cost. */
  ask: (...days: number[]) => Promise<{ requests: number; ms: number; bytes: number }>;
  world: World;
  pid: number;
}

async function withScene<T>(pages: number, latency: number, cacheTTL: number, work: (scene: Scene) => Promise<T>) {
  const options = { tasksTotal: pages * PAGE, latency, frozen: new Date().toISOString() };
  const { url, world, close } = await startSimulator(options);
  const backend = await Backend.start();
  const saved = { jsonData: { login: 'demo', cacheTTL }, secureJsonData: { key: 'demo-key' }, updated: Date.now() };
  const client = new Client(url);
  const ask: Scene['ask'] = async (...days) => {
    await client.control('DELETE', 'requests');
    const to = Date.now();
    const range = { from: to - 30 * DAY, to, intervalMs: 60_000, maxDataPoints: 1_000 };
    const query = (of: number, index: number) => ({
      refId: `${index}`,
      json: { queryType: 'tasks', days: of },
      ...range,
    });
    const dataSource = { uid: 'ratios', name: 'Ratios', url, ...saved };
    const began = performance.now();
    const answers = await backend.queryData(dataSource, days.map(query));
    const ms = performance.now() - began;
    const [{ error, frames }] = Object.values(resultsJson(answers));
    if (error !== undefined) {
      throw new Error(error);
    }
    const stats = frames[0].schema.meta?.stats as Array<{ displayName: string; value: number }>;
    const { byRoute } = await client.control<{ byRoute: { tasks?: number } }>('GET', 'requests');
    const bytes = stats.find(({ displayName }) => displayName === 'Bytes received')?.value ?? NaN;
    return { requests: byRoute.tasks ?? 0, ms, bytes };
  };
  try {
    return await work({ ask, world, pid: backend.pid });
  } finally {
    await backend.stop();
    await close();
  }
}

const ratio = (name: string, one: number, other: number, unit: string): Ratio => ({
  name,
  value: one / other,
  detail: `${Math.round(one)} ÷ ${Math.round(other)} ${unit}`,
});

/** Go's benchmarks of decoding: the best of several rounds, each with both, because other work slows some of them. */
async function decoding(): Promise<Ratio> {
  const args = ['test', './pkg/list', '-run', '^$', '-bench', '^Benchmark(DecodeAndFrame|EncodingJSON)$'];
  let output = '';
  for (let round = 0; round < 4; round++) {
    output += (await promisify(execFile)('go', [...args, '-benchtime', '400ms'], { cwd: root })).stdout;
  }
  const best = (name: string) => {
    const times = output.matchAll(new RegExp(`^Benchmark${name}\\b.* ([\\d.]+) ns/record`, 'gm'));
    return Math.min(...[...times].map(([, ns]) => Number(ns)));
  };
  return ratio('decode and frame a record ÷ encoding/json', best('DecodeAndFrame'), best('EncodingJSON'), 'ns');
}

/** Measures all ratios, one at a time, so that each has the machine to itself. */
export async function ratios(): Promise<Ratio[]> {
  const cold: number[] = [];
  for (let run = 0; run < 3; run++) {
    cold.push((await withScene(500, LATENCY, 0, ({ ask }) => ask(30))).ms);
  }
  const trips = 1 + Math.ceil(499 / 8);
  return [
    ratio('cold read of 500 pages ÷ fewest round trips', Math.min(...cold), trips * LATENCY, 'ms'),
    await withScene(100, LATENCY, 30, async ({ ask }) => {
      const { requests } = await ask(...Array.from({ length: 12 }, () => 30));
      return ratio('requests for 12 equal queries ÷ pages', requests, 100, '');
    }),
    // What it costs if something changed, the tests of pkg/list count.
    await withScene(500, LATENCY, 0, async ({ ask, world }) => {
      world.addTasks(8); // These have not ended, as some tasks at any time.
      const first = await ask(30);
      return ratio('refresh, nothing changed ÷ first read', (await ask(30)).requests, first.requests, 'requests');
    }),
    await withScene(500, LATENCY, 0, async ({ ask }) => {
      const first = await ask(30);
      let requests = 0;
      for (let days = 1; days <= 10; days++) {
        requests += (await ask(days)).requests;
      }
      return ratio('ten rules, one after the other ÷ first read', requests, first.requests, 'requests');
    }),
    await withScene(5_000, 0, 30, async ({ ask, pid }) => {
      const { bytes } = await ask(30);
      return ratio('peak memory for 100,000 tasks ÷ JSON read', peakMemory(pid) / MIB, bytes / MIB, 'MiB');
    }),
    await decoding(),
  ];
}
