import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, test } from 'node:test';
import { envelope, pagesOf, tasks } from './support/answers';
import { ask, metric } from './support/ask';
import { withHostile, type Handler, type Handlers } from './support/hostile';
import { dataSourceFor, startPlugin } from './support/plugin';

const query = { queryType: 'tasks', days: 30 };
const body = JSON.stringify(envelope(tasks(1, 20), 0, 20));
const packed = gzipSync(body);
const broken = (at: number) =>
  Buffer.concat([packed.subarray(0, at), Buffer.from([packed[at] ^ 0xff]), packed.subarray(at + 1)]);

const silent: Handler = () => undefined;
const half: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(body.slice(0, 100));
};
const zipped =
  (bytes: Buffer, status = 200): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(bytes);
  };

describe('who causes an error', () => {
  const plugin = startPlugin();
  const reasons = ['service', 'cancelled', 'plugin', 'input', 'settings'];

  /** Sends one query; returns the response, and how often each reason was counted for it. */
  const blamed = async (handlers: Handlers, signal?: AbortSignal) =>
    withHostile(handlers, async (service) => {
      // A caller that leaves does so long before the timeout, however busy the machine is.
      const dataSource = dataSourceFor(service.url, { timeout: signal ? 60 : 1 });
      const counted = () =>
        Promise.all(
          reasons.map((one) => metric(plugin, dataSource, 'insights_queries_failed_total', `reason="${one}"`))
        );
      const before = await counted();
      const answer = await ask(plugin, dataSource, query, { signal }).catch(() => undefined);
      let now = await counted();
      // A caller that has left doesn't see the backend count.
      for (let tries = 0; !answer && String(now) === String(before) && tries < 100; tries += 1) {
        await sleep(200);
        now = await counted();
      }
      const counts = Object.fromEntries(reasons.map((one, index) => [one, now[index] - before[index]]));
      return { answer, counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) };
    });

  for (const [what, handlers] of [
    ['a data route that does not respond', { tasks: silent }],
    ['a data route that stops in the middle of a response', { tasks: half }],
    ['a login that does not respond', { login: silent }],
    ['a login that stops in the middle of a response', { login: half }],
  ] as const) {
    test(`${what}: a timeout of the service`, async () => {
      const { answer, counts } = await blamed(handlers);
      assert.match(answer?.error ?? '', /did not respond within 1s|timeout/i);
      assert.match(answer?.error ?? '', /Timeout/, 'the setting to change');
      assert.equal(answer?.status, 504);
      assert.equal(answer?.errorSource, 'downstream');
      assert.deepEqual(counts, { service: 1 });
    });
  }

  test('a caller that leaves: cancelled', async () => {
    const { counts } = await blamed({ tasks: silent }, AbortSignal.timeout(300));
    assert.deepEqual(counts, { cancelled: 1 });
  });

  // Of two bytes that a proxy has damaged, one makes the header invalid, and the other one the checksum.
  for (const [what, bytes] of [
    ['has a broken header', broken(0)],
    ['has a wrong checksum', broken(packed.length - 8)],
  ] as const) {
    test(`a response that claims to be gzip and ${what}: an unreadable response`, async () => {
      const { answer, counts } = await blamed({ tasks: zipped(bytes) });
      assert.doesNotMatch(answer?.error ?? '', /cannot reach|closed the connection/i);
      assert.match(answer?.error ?? '', /decompressed|gzip|cannot be parsed/i);
      assert.equal(answer?.status, 502);
      assert.equal(answer?.errorSource, 'downstream');
      assert.deepEqual(counts, { service: 1 });
    });
  }

  test('a valid gzip response is read', async () => {
    const { answer, counts } = await blamed({ tasks: zipped(packed) });
    assert.equal(answer?.error, undefined);
    assert.deepEqual(counts, {});
    assert.equal((await blamed({ tasks: pagesOf(tasks(1, 20)) })).answer?.error, undefined);
  });
});
