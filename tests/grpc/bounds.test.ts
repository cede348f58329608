import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ResultJson } from '../../workbench/backend/frames';
import { flood, members, pour } from './support/answers';
import { askWithin } from './support/ask';
import type { Handler } from './support/hostile';
import { measured, mebibyte, mib, skip, withBoth } from './support/peak';
import { dataSourceFor } from './support/plugin';

const tasks = { queryType: 'tasks', days: 30 };

// The service's responses must not cost more than this, and no test may bring down a machine if a bound doesn't exist
// yet.
const mostSent = 512;

// A control character ends the string: a backend that has read this far sees that it is not JSON, and doesn't retry.
const endless =
  (head: string, filler: string, mebibytes = mostSent, status = 200): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    return pour(response, flood(head, filler, mebibytes, '\u0001'));
  };

const zipped: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  return pour(response, members(64, 64));
};

function assertTooLarge({ status, error = '', errorSource, frames }: ResultJson): void {
  assert.match(error, /64 MiB/);
  assert.doesNotMatch(error, /cannot reach|closed the connection/i);
  assert.equal(status, 502);
  assert.equal(errorSource, 'downstream');
  assert.deepEqual(frames, []);
}

describe('a. an endless response', { skip }, () => {
  for (const [what, handler] of [
    ['one text', endless('{"content":[{"id":1,"activityLabel":"', 'x')],
    ['blanks', endless('', ' ')],
    ['an unrequested value', endless('{"content":[],"trace":"', 'x')],
    ['digits', endless('{"content":[{"id":', '1')],
  ] as const) {
    test(`${what}: an error that names the limit, within seconds and 400 MiB`, async (t) => {
      await withBoth({ tasks: handler }, async (plugin, service) => {
        const work = () => askWithin(plugin, dataSourceFor(service.url), tasks, 30_000);
        const { value, peak, ms } = await measured(plugin.backend.pid, work);
        t.diagnostic(`peak ${mib(peak)}, ${ms.toFixed(0)} ms`);
        assertTooLarge(value);
        assert.ok(peak < 400 * mebibyte, `${mib(peak)} above idle`);
        assert.ok(ms < 15_000, `${ms.toFixed(0)} ms`);
      });
    });
  }

  test('eight at once: eight errors, within 1 GiB', async (t) => {
    const handler = endless('{"content":[{"id":1,"activityLabel":"', 'x', 192);
    await withBoth({ tasks: handler }, async (plugin, service) => {
      const dataSource = dataSourceFor(service.url);
      const queries = Array.from({ length: 8 }, (_, index) => ({ ...tasks, days: index + 1 }));
      const { value, peak, ms } = await measured(plugin.backend.pid, () => plugin.askAll(dataSource, queries));
      t.diagnostic(`peak ${mib(peak)}, ${ms.toFixed(0)} ms`);
      value.forEach(assertTooLarge);
      assert.ok(peak < 1024 * mebibyte, `${mib(peak)} above idle`);
    });
  });

  const bad = endless('{"message":"', 'x', mostSent, 400);
  const good = endless('{"content":[{"id":1,"activityLabel":"', 'x');
  for (const [what, login, data] of [
    ['of a login', good, good],
    ['that is an error', undefined, bad],
    ['of an error of a login', bad, good],
  ] as const) {
    test(`an endless response ${what} is an error, too`, async (t) => {
      await withBoth({ ...(login && { login }), tasks: data }, async (plugin, service) => {
        const work = () => askWithin(plugin, dataSourceFor(service.url), tasks, 30_000);
        const { value, peak, ms } = await measured(plugin.backend.pid, work);
        t.diagnostic(`peak ${mib(peak)}, ${ms.toFixed(0)} ms`);
        assert.ok(value.error);
        assert.ok(peak < 100 * mebibyte, `${mib(peak)} above idle`);
      });
    });
  }

  test('over the proxy route: an error, within 400 MiB', async (t) => {
    await withBoth({ tasks: good }, async (plugin, service) => {
      const path = 'api/v1/insights/tasks';
      const work = () => plugin.backend.callResource(dataSourceFor(service.url), { method: 'GET', path, url: path });
      const { value, peak, ms } = await measured(plugin.backend.pid, work);
      t.diagnostic(`peak ${mib(peak)}, ${ms.toFixed(0)} ms`);
      assert.equal(value.status, 502);
      assert.match(JSON.parse(value.body.toString()).message, /MiB|larger than/);
      assert.ok(peak < 400 * mebibyte, `${mib(peak)} above idle`);
    });
  });
});

describe('b. a response that is small until it is decompressed', { skip }, () => {
  test('4 GiB of spaces in 64 gzip members: the limit applies to the decompressed size', async (t) => {
    await withBoth({ tasks: zipped }, async (plugin, service) => {
      const work = () => askWithin(plugin, dataSourceFor(service.url), tasks, 20_000);
      const { value, peak, ms } = await measured(plugin.backend.pid, work);
      t.diagnostic(`peak ${mib(peak)}, ${ms.toFixed(0)} ms`);
      assertTooLarge(value);
      assert.ok(peak < 400 * mebibyte, `${mib(peak)} above idle`);
      assert.ok(ms < 15_000, `${ms.toFixed(0)} ms`);
    });
  });
});
