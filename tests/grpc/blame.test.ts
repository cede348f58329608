import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { describe, test } from 'node:test';
import { envelope, pagesOf, tasks } from './support/answers';
import { ask } from './support/ask';
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
  const answerOf = async (handlers: Handlers) =>
    withHostile(handlers, (service) => ask(plugin, dataSourceFor(service.url, { timeout: 1 }), query));

  for (const [what, handlers] of [
    ['a data route that does not respond', { tasks: silent }],
    ['a data route that stops in the middle of a response', { tasks: half }],
    ['a login that does not respond', { login: silent }],
    ['a login that stops in the middle of a response', { login: half }],
  ] as const) {
    test(`${what}: a timeout of the service`, async () => {
      const { error = '', status, errorSource } = await answerOf(handlers);
      assert.match(error, /did not respond within 1s|timeout/i);
      assert.match(error, /Timeout/, 'the setting to change');
      assert.equal(status, 504);
      assert.equal(errorSource, 'downstream');
    });
  }

  // Of two bytes that a proxy has damaged, one makes the header invalid, and the other one the checksum.
  for (const [what, bytes] of [
    ['has a broken header', broken(0)],
    ['has a wrong checksum', broken(packed.length - 8)],
  ] as const) {
    test(`a response that claims to be gzip and ${what}: an unreadable response`, async () => {
      const { error = '', status, errorSource } = await answerOf({ tasks: zipped(bytes) });
      assert.doesNotMatch(error, /cannot reach|closed the connection/i);
      assert.match(error, /cannot be parsed: .*gzip/i);
      assert.equal(status, 502);
      assert.equal(errorSource, 'downstream');
    });
  }

  test('a valid gzip response is read', async () => {
    assert.equal((await answerOf({ tasks: zipped(packed) })).error, undefined);
    assert.equal((await answerOf({ tasks: pagesOf(tasks(1, 20)) })).error, undefined);
  });
});
