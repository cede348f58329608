import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect } from '@playwright/test';

/** A series with its samples: seconds since 1970, and the value. */
export interface Series {
  labels: Record<string, string>;
  samples: Array<[seconds: number, value: number]>;
}

/** What can keep the history, with the options of one that a test starts. */
const engines = {
  prometheus: (folder: string, address: string) => [
    '--config.file=provisioning/history/prometheus.yml',
    `--storage.tsdb.path=${folder}`,
    '--storage.tsdb.retention.time=10y',
    `--web.listen-address=${address}`,
    '--web.enable-remote-write-receiver',
  ],
  'victoria-metrics': (folder: string, address: string) => [
    `-storageDataPath=${folder}`,
    '-retentionPeriod=10y',
    '-dedup.minScrapeInterval=1ms',
    `-httpListenAddr=${address}`,
  ],
};

export type Engine = keyof typeof engines;

/** Prometheus' HTTP API, which others have, too. */
export class Prometheus {
  private constructor(
    readonly url: string,
    readonly stop: () => void
  ) {}

  static at(url: string): Prometheus {
    return new Prometheus(url, () => {});
  }

  /** Starts one that is on the path; undefined if there is none. A file of OpenMetrics becomes the database of a Prometheus. */
  static async start(engine: Engine, file?: string): Promise<Prometheus | undefined> {
    if (spawnSync(engine, ['--version']).error) {
      return undefined;
    }
    const folder = mkdtempSync(path.join(tmpdir(), `${engine}-`));
    if (engine === 'prometheus' && file) {
      const blocks = ['tsdb', 'create-blocks-from', 'openmetrics', '--max-block-duration=720h', file, folder];
      expect(spawnSync('promtool', blocks).status).toBe(0);
    }
    const address = `127.0.0.1:${await freePort()}`;
    const child = spawn(engine, engines[engine](folder, address), { stdio: 'ignore' });
    await ready(`http://${address}/-/ready`, child);
    return new Prometheus(`http://${address}`, () => {
      // Nothing has to be saved.
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    });
  }

  /** The samples of a selector since a time, as they are stored. */
  async samples(selector: string, since: number): Promise<Series[]> {
    const seconds = Math.ceil((Date.now() - since) / 1000) + 1;
    const response = await fetch(`${this.url}/api/v1/query`, {
      method: 'POST',
      body: new URLSearchParams({ query: `${selector}[${seconds}s]` }),
    });
    expect(response.status, await response.clone().text()).toBe(200);
    const { data } = (await response.json()) as {
      data: { result: Array<{ metric: Record<string, string>; values: Array<[number, string]> }> };
    };
    return data.result.map(({ metric, values }) => ({
      labels: metric,
      samples: values.map(([at, value]) => [at, Number(value)]),
    }));
  }

  /** Stores samples with Prometheus' remote write protocol, as Grafana does. */
  async write(series: Series[]): Promise<void> {
    const headers = { 'Content-Encoding': 'snappy', 'Content-Type': 'application/x-protobuf' };
    const body = snappy(Buffer.concat(series.map((one) => nested(1, timeSeries(one)))));
    const response = await fetch(`${this.url}/api/v1/write`, { method: 'POST', headers, body: new Uint8Array(body) });
    expect(response.ok, `${response.status} ${await response.text()}`).toBe(true);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  const isReady = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false
    );
  for (let tries = 0; tries < 300 && child.exitCode === null; tries++) {
    if (await isReady()) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  child.kill();
  throw new Error(`${child.spawnfile} did not start: ${url}`);
}

/* The messages of remote write, in Protocol Buffers (prometheus/prompb/types.proto) */

function timeSeries({ labels, samples }: Series): Buffer {
  const names = Object.keys(labels).sort(); // as the protocol wants them
  return Buffer.concat([
    ...names.map((name) => nested(1, Buffer.concat([text(1, name), text(2, labels[name])]))),
    ...samples.map(([seconds, value]) => nested(2, sample(seconds * 1000, value))),
  ]);
}

function sample(milliseconds: number, value: number): Buffer {
  const double = Buffer.alloc(8);
  double.writeDoubleLE(value);
  return Buffer.concat([Buffer.of((1 << 3) | 1), double, Buffer.of(2 << 3), varint(milliseconds)]);
}

const nested = (field: number, body: Buffer) => Buffer.concat([Buffer.of((field << 3) | 2), varint(body.length), body]);

const text = (field: number, value: string) => nested(field, Buffer.from(value));

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (; value >= 128; value = Math.floor(value / 128)) {
    bytes.push((value % 128) + 128);
  }
  return Buffer.of(...bytes, value);
}

/** Snappy's format without compression: literals of at most 64 KiB. */
function snappy(body: Buffer): Buffer {
  const literals = Array.from({ length: Math.ceil(body.length / 65_536) }, (_, index) => {
    const literal = body.subarray(index * 65_536, (index + 1) * 65_536);
    const head = Buffer.of(61 << 2, 0, 0);
    head.writeUInt16LE(literal.length - 1, 1);
    return Buffer.concat([head, literal]);
  });
  return Buffer.concat([varint(body.length), ...literals]);
}
