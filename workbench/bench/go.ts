import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '../backend/binary';
import type { Figure } from './measures';

interface GoBench {
  /** Nanoseconds per record, or microseconds per request: the unit that the benchmark reports. */
  time: number;
  /** Allocations per operation. */
  allocs: number;
}

const rounds = 5;

/**
 * Runs Go benchmarks of a package in rounds, so that other work on the machine affects all of them; returns the best of
 * each.
 */
async function goBench(folder: string, unit: string, ...names: string[]): Promise<GoBench[]> {
  const args = ['test', folder, '-run', '^$', '-bench', `^Benchmark(${names.join('|')})$`, '-benchtime', '400ms'];
  let output = '';
  for (let round = 0; round < rounds; round++) {
    // Each round runs again: go test doesn't cache results of benchmarks.
    output += (await promisify(execFile)('go', args, { cwd: root })).stdout;
  }
  return names.map((name) => {
    const runs = [
      ...output.matchAll(new RegExp(`^Benchmark${name}(?:-\\d+)?\\s.*?([\\d.]+) ${unit}.*?(\\d+) allocs/op`, 'gm')),
    ];
    const best = (group: number) => Math.min(...runs.map((run) => Number(run[group])));
    return { time: best(1), allocs: best(2) };
  });
}

/** (c) Decoding and framing a record, compared with encoding/json into plain structs. */
export async function decoding(): Promise<Figure[]> {
  // The benchmarks decode 500 pages of 20 records per operation.
  const records = 500 * 20;
  const [decode, whole, plain] = await goBench('./pkg/list', 'ns/record', 'Decode', 'DecodeAndFrame', 'EncodingJSON');
  return [
    {
      name: 'c. decode and frame a record ÷ encoding/json',
      value: whole.time / plain.time,
      aim: '≤ 0.42',
      detail: `${whole.time} ns ÷ ${plain.time} ns`,
    },
    {
      name: '   decode alone ÷ encoding/json',
      value: decode.time / plain.time,
      detail: `${decode.time} ns ÷ ${plain.time} ns`,
    },
    {
      name: '   allocations a record ÷ encoding/json',
      value: whole.allocs / plain.allocs,
      detail: `${(whole.allocs / records).toFixed(1)} ÷ ${(plain.allocs / records).toFixed(1)}`,
    },
  ];
}

/** (i) What a request costs, one after the other, compared with reading the same pages with only Go's client. */
export async function requests(): Promise<Figure[]> {
  const [ours, sdk, plain] = await goBench('./pkg/plugin', 'µs/request', 'Requests', 'SDKRequests', 'PlainRequests');
  return [
    {
      name: 'i. request, decode and frame ÷ plain GET',
      value: ours.time / plain.time,
      detail: `${ours.time.toFixed(0)} µs ÷ ${plain.time.toFixed(0)} µs for a page of 20, the answering server included`,
    },
    {
      name: "   the same GET with the SDK's client ÷ plain",
      value: sdk.time / plain.time,
      detail: `${sdk.time.toFixed(0)} µs ÷ ${plain.time.toFixed(0)} µs`,
    },
  ];
}
