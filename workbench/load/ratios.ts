import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { SimulatorOptions } from '../../simulator';
import { root } from '../backend/binary';
import { peakMemory } from '../backend/resources';
import { type Scene, withScene } from './scene';

/** A ratio with its terms. */
export interface Ratio {
  name: string;
  value: number;
  detail: string;
}

const LATENCY = 20;
const PAGE = 20;
const MIB = 2 ** 20;

/** A service with so many pages of tasks that have ended. */
const pagesOf = (pages: number, latency = LATENCY) => ({ tasksTotal: pages * PAGE, latency });

const scene = <T>(service: Partial<SimulatorOptions>, cacheTTL: number, work: (scene: Scene) => Promise<T>) =>
  withScene({ service, settings: { cacheTTL } }, work);

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
    cold.push((await scene(pagesOf(500), 0, ({ ask }) => ask([30]))).seconds);
  }
  const trips = 1 + Math.ceil(499 / 8);
  return [
    ratio('cold read of 500 pages ÷ fewest round trips', Math.min(...cold) * 1000, trips * LATENCY, 'ms'),
    await scene(pagesOf(100), 30, async ({ ask }) => {
      const { requests } = await ask(Array(12).fill(30));
      return ratio('requests for 12 equal queries ÷ pages', requests, 100, '');
    }),
    // The usual company, in which some tasks have not ended, has about 500 pages. What it costs if something changed, the
    // tests of pkg/list count.
    await scene({ latency: LATENCY }, 0, async ({ ask }) => {
      const first = await ask([30]);
      return ratio('refresh, nothing changed ÷ first read', (await ask([30])).requests, first.requests, 'requests');
    }),
    await scene(pagesOf(500), 0, async ({ ask }) => {
      const first = await ask([30]);
      let requests = 0;
      for (let days = 1; days <= 10; days++) {
        requests += (await ask([days])).requests;
      }
      return ratio('ten rules, one after the other ÷ first read', requests, first.requests, 'requests');
    }),
    await scene(pagesOf(5_000, 0), 30, async ({ ask, pid }) => {
      const { bytes } = await ask([30]);
      return ratio('peak memory for 100,000 tasks ÷ JSON read', peakMemory(pid) / MIB, bytes / MIB, 'MiB');
    }),
    await decoding(),
  ];
}
