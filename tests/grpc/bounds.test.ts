import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { setTimeout } from 'node:timers/promises';
import { peakMemory, residentMemory } from '../../workbench/backend/resources';
import type { ResultJson } from '../../workbench/backend/frames';
import { type Handler, type Handlers, text, withHostile } from './support/hostile';
import { dataSourceFor, frameOf, noticesOf, Plugin } from './support/plugin';

// What only the process itself can show: how much memory a hostile service can make it take.

function whyNot(): string | false {
  try {
    resetPeak(process.pid);
    return false;
  } catch {
    return 'memory and processor time of a process are read from /proc, which is Linux';
  }
}

// Resets the kernel's peak (proc(5), clear_refs).
function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The reason why nothing can be measured on this machine, or false. For the option `skip` of a test. */
const skip = whyNot();

const mebibyte = 1 << 20;

/** Bytes in human-readable form. */
const mib = (bytes: number) => `${(bytes / mebibyte).toFixed(0)} MiB`;

/** Runs the work and measures the peak memory above what the process had before, in bytes. */
async function measured<T>(pid: number, work: () => Promise<T>): Promise<{ value: T; peak: number }> {
  const idle = residentMemory(pid);
  resetPeak(pid);
  const value = await work();
  return { value, peak: peakMemory(pid) - idle };
}

/** Runs work with its own service and its own backend, whose memory contains nothing of other tests. */
function withBoth<T>(handlers: Handlers, work: (plugin: Plugin, url: string) => Promise<T>): Promise<T> {
  return withHostile(handlers, async (url) => {
    const plugin = new Plugin();
    await plugin.start();
    try {
      return await work(plugin, url);
    } finally {
      await plugin.backend.stop();
    }
  });
}

const tasks = { queryType: 'tasks', days: 30 };

// The service's responses must not cost more than this, and no test may bring down a machine if a bound doesn't exist
// yet.
const mostSent = 512;

/** Sends parts one after the other, no faster than the client reads, until they end or the client disconnects. */
async function pour(response: ServerResponse, parts: Iterable<string | Buffer>): Promise<void> {
  await pipeline(Readable.from(parts), response).catch(() => undefined);
}

/** A head, and then a number of mebibytes. */
function* flood(head: string, mebibytes: number): Generator<string | Buffer> {
  yield head;
  const part = Buffer.alloc(mebibyte, 'x');
  for (let sent = 0; sent < mebibytes; sent += 1) {
    yield part;
  }
  // A control character ends the string: a backend that has read this far sees that it is not JSON, and doesn't retry.
  yield '\u0001';
}

const endless =
  (head: string, status = 200, mebibytes = mostSent): Handler =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    return pour(response, flood(head, mebibytes));
  };

const row = '{"content":[{"id":1,"activityLabel":"';

/** 64 gzip members, each of which decompresses to 64 MiB. */
const zipped: Handler = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  return pour(response, Array(64).fill(gzipSync(Buffer.alloc(64 * mebibyte, ' '))));
};

function assertTooLarge({ status, error = '', errorSource, frames }: ResultJson): void {
  assert.match(error, / (64|4) MiB/); // of a response, or of one value
  assert.equal(status, 502);
  assert.equal(errorSource, 'downstream');
  assert.deepEqual(frames, []);
}

describe('a response that does not end', { skip }, () => {
  for (const [what, handlers, queries, most] of [
    ['as it is', { tasks: endless(row) }, [tasks], 400],
    ['4 GiB once they are decompressed', { tasks: zipped }, [tasks], 400],
    [
      // Lists of different days, each of which receives the 64 MiB of a response, and has its rows as columns.
      'eight at once',
      { tasks: endless(row, 200, 192) },
      Array.from({ length: 8 }, (_, index) => ({ ...tasks, days: index + 1 })),
      1280,
    ],
  ] as const) {
    test(`${what}: errors that name the limit, within ${most} MiB`, async (t) => {
      await withBoth(handlers, async (plugin, url) => {
        const work = () => plugin.askAll(dataSourceFor(url), [...queries]);
        const { value, peak } = await measured(plugin.backend.pid, work);
        t.diagnostic(`peak ${mib(peak)}`);
        value.forEach(assertTooLarge);
        assert.ok(peak < most * mebibyte, `${mib(peak)} above idle`);
      });
    });
  }

  for (const [what, handlers] of [
    ['of a login', { login: endless(row) }],
    ['of an error', { tasks: endless('{"message":"', 400) }],
  ] as const) {
    test(`${what}: an error, within 100 MiB`, async (t) => {
      await withBoth(handlers, async (plugin, url) => {
        const { value, peak } = await measured(plugin.backend.pid, () => plugin.ask(dataSourceFor(url), tasks));
        t.diagnostic(`peak ${mib(peak)}`);
        assert.ok(value.error);
        assert.ok(peak < 100 * mebibyte, `${mib(peak)} above idle`);
      });
    });
  }
});

test('1,000,000 rows and maxRows 10: 10 rows and a warning, within 60 MiB', { skip }, async (t) => {
  const row = '{"totalItems":1}'; // A record without any field of the specification is no task.
  const body = `{"content":[${`${row},`.repeat(999_999)}${row}],"totalElements":1000000,"totalPages":1,"size":1000000}`;
  await withBoth({ tasks: (response) => text(response, body) }, async (plugin, url) => {
    const { value, peak } = await measured(plugin.backend.pid, () =>
      plugin.ask(dataSourceFor(url, { maxRows: 10 }), tasks)
    );
    t.diagnostic(`peak ${mib(peak)}, ${mib(body.length)} sent`);
    const frame = frameOf(value);
    assert.equal(frame.data.values[0].length, 10);
    assert.ok(noticesOf(frame).some((notice) => notice.includes('maxRows')));
    assert.ok(peak < 60 * mebibyte, `${mib(peak)} above idle`);
  });
});

/** Waits until the backend has not taken more memory for two seconds. */
async function untilSteady(pid: number): Promise<void> {
  for (let peak = 0; peak !== peakMemory(pid); await setTimeout(2_000)) {
    peak = peakMemory(pid);
  }
}

/** Reads the first part of a response, waits, and reads the rest. */
async function bytesOf(parts: AsyncIterable<{ body: Buffer }>, wait: Promise<void>): Promise<number> {
  let bytes = 0;
  for await (const { body } of parts) {
    bytes += body.length;
    await wait;
  }
  return bytes;
}

test('20 MiB over the proxy route for 24 readers who pause: all of it, within 400 MiB', { skip }, async (t) => {
  const body = Buffer.alloc(20 * mebibyte, ' ');
  await withBoth({ tasks: (response) => pour(response, [body]) }, async (plugin, url) => {
    const { pid } = plugin.backend;
    const dataSource = dataSourceFor(url);
    const path = 'api/v1/insights/tasks';
    const { value, peak } = await measured(pid, () => {
      const pause = setTimeout(1_000).then(() => untilSteady(pid));
      const read = () => bytesOf(plugin.backend.openResource(dataSource, { method: 'GET', path, url: path }), pause);
      return Promise.all(Array.from({ length: 24 }, read));
    });
    t.diagnostic(`peak ${mib(peak)}`);
    assert.deepEqual(value, Array(24).fill(body.length));
    assert.ok(peak < 400 * mebibyte, `${mib(peak)} above idle`);
  });
});
