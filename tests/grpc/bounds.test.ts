import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ResultJson } from '../../workbench/backend/frames';
import { flood, members, pour, text } from './support/answers';
import { askWithin } from './support/ask';
import type { Handler } from './support/hostile';
import { measured, mebibyte, mib, skip, withBoth } from './support/peak';
import { dataSourceFor, frameOf, noticesOf, rowsOf } from './support/plugin';

// What only the process itself can show: how much memory a hostile service can make it take.

const tasks = { queryType: 'tasks', days: 30 };

// The service's responses must not cost more than this, and no test may bring down a machine if a bound doesn't exist
// yet.
const mostSent = 512;

// A control character ends the string: a backend that has read this far sees that it is not JSON, and doesn't retry.
const endless =
  (head: string, status = 200, mebibytes = mostSent): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    return pour(response, flood(head, 'x', mebibytes, '\u0001'));
  };

const row = '{"content":[{"id":1,"activityLabel":"';

const zipped: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  return pour(response, members(64, 64));
};

function assertTooLarge({ status, error = '', errorSource, frames }: ResultJson): void {
  assert.match(error, /64 MiB/);
  assert.equal(status, 502);
  assert.equal(errorSource, 'downstream');
  assert.deepEqual(frames, []);
}

describe('a response that does not end', { skip }, () => {
  for (const [what, handler] of [
    ['as it is', endless(row)],
    ['4 GiB once they are decompressed', zipped],
  ] as const) {
    test(`${what}: an error that names the limit, within 400 MiB`, async (t) => {
      await withBoth({ tasks: handler }, async (plugin, service) => {
        const work = () => askWithin(plugin, dataSourceFor(service.url), tasks, 30_000);
        const { value, peak } = await measured(plugin.backend.pid, work);
        t.diagnostic(`peak ${mib(peak)}`);
        assertTooLarge(value);
        assert.ok(peak < 400 * mebibyte, `${mib(peak)} above idle`);
      });
    });
  }

  test('eight at once: eight errors, within 1 GiB', async (t) => {
    await withBoth({ tasks: endless(row, 200, 192) }, async (plugin, service) => {
      const queries = Array.from({ length: 8 }, (_, index) => ({ ...tasks, days: index + 1 }));
      const work = () => plugin.askAll(dataSourceFor(service.url), queries);
      const { value, peak } = await measured(plugin.backend.pid, work);
      t.diagnostic(`peak ${mib(peak)}`);
      value.forEach(assertTooLarge);
      assert.ok(peak < 1024 * mebibyte, `${mib(peak)} above idle`);
    });
  });

  for (const [what, handlers] of [
    ['of a login', { login: endless(row) }],
    ['of an error', { tasks: endless('{"message":"', 400) }],
  ] as const) {
    test(`${what}: an error, within 100 MiB`, async (t) => {
      await withBoth(handlers, async (plugin, service) => {
        const work = () => askWithin(plugin, dataSourceFor(service.url), tasks, 30_000);
        const { value, peak } = await measured(plugin.backend.pid, work);
        t.diagnostic(`peak ${mib(peak)}`);
        assert.ok(value.error);
        assert.ok(peak < 100 * mebibyte, `${mib(peak)} above idle`);
      });
    });
  }

  test('over the proxy route: an error, within 400 MiB', async (t) => {
    await withBoth({ tasks: endless(row) }, async (plugin, service) => {
      const path = 'api/v1/insights/tasks';
      const work = () => plugin.backend.callResource(dataSourceFor(service.url), { method: 'GET', path, url: path });
      const { value, peak } = await measured(plugin.backend.pid, work);
      t.diagnostic(`peak ${mib(peak)}`);
      assert.equal(value.status, 502);
      assert.match(JSON.parse(value.body.toString()).message, /MiB/);
      assert.ok(peak < 400 * mebibyte, `${mib(peak)} above idle`);
    });
  });
});

test('1,000,000 rows and maxRows 10: 10 rows and a warning, within 60 MiB', { skip }, async (t) => {
  const body = `{"content":[${'{},'.repeat(999_999)}{}],"totalElements":1000000,"totalPages":1,"size":1000000}`;
  await withBoth({ tasks: (_, response) => text(response, body) }, async (plugin, service) => {
    const dataSource = dataSourceFor(service.url, { maxRows: 10 });
    const { value, peak } = await measured(plugin.backend.pid, () => askWithin(plugin, dataSource, tasks, 30_000));
    t.diagnostic(`peak ${mib(peak)}, ${mib(body.length)} sent`);
    const frame = frameOf(value);
    assert.equal(rowsOf(frame), 10);
    assert.ok(noticesOf(frame).some((notice) => notice.includes('maxRows')));
    assert.ok(peak < 60 * mebibyte, `${mib(peak)} above idle`);
  });
});
