import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { dataSourceFor, frameOf, namesOf, noticesOf, rowsOf, startPlugin } from './support/plugin';
import { frozen, startService } from './support/simulator';

const query = { queryType: 'tasks', days: 30 };

describe('a service in trouble', () => {
  const plugin = startPlugin();
  const service = startService({ frozen, tasksTotal: 100, automations: 5, runners: 5 });
  beforeEach(() => service.reset());

  for (const fault of [
    { kind: 'status', status: 429, retryAfter: 1, times: 2 },
    { kind: 'status', status: 502, times: 1 },
    { kind: 'status', status: 503, times: 2 },
    { kind: 'status', status: 504, times: 1 },
    { kind: 'drop', times: 1 },
    { kind: 'truncate', times: 1 },
  ]) {
    test(`${fault.kind} ${fault.status ?? ''}, ${fault.times}×: it retries and returns every row`, async () => {
      await service.fault({ route: 'tasks', afterRequests: 2, ...fault });
      assert.equal(rowsOf(frameOf(await plugin.ask(dataSourceFor(service.url), query))), 100);
    });
  }

  for (const [fault, status, says] of [
    [{ kind: 'status', status: 500 }, 502, /500.*Simulated fault.*try again later/],
    [{ kind: 'status', status: 404, body: 'nothing here' }, 404, /404 Not Found.*base URL/],
    [{ kind: 'html' }, 502, /expected.*Gateway/s],
    [{ kind: 'html', status: 502 }, 502, /502.*HTML/],
    [{ kind: 'empty' }, 502, /expected.*empty/s],
    [{ kind: 'shape' }, 502, /expected an object with content.*ok, data/],
    [{ kind: 'status', status: 200, body: '{"content":[{"id":1},{"i' }, 502, /cannot be parsed/],
  ] as const) {
    test(`${JSON.stringify(fault)}: an error that describes the response, never a partial table`, async () => {
      await service.fault({ route: 'tasks', ...fault });
      const answer = await plugin.ask(dataSourceFor(service.url, { timeout: 5 }), query);
      assert.equal(answer.status, status);
      assert.match(answer.error ?? '', says);
      assert.equal(answer.errorSource, 'downstream');
      assert.deepEqual(answer.frames, []);
    });
  }

  test('a bad page in the middle is not a partial table without a notice', async () => {
    await service.fault({ route: 'tasks', kind: 'html', afterRequests: 3 });
    const { error, frames } = await plugin.ask(dataSourceFor(service.url), query);
    if (error === undefined) {
      assert.ok(noticesOf(frames[0]).length > 0, 'missing rows cause a notice');
    }
  });

  test("a runners route that doesn't exist: the setting to change", async () => {
    const answer = await plugin.ask(dataSourceFor(service.url, { runnersPath: '/api/v1/nowhere' }), {
      queryType: 'runners',
    });
    assert.equal(answer.status, 404);
    assert.match(answer.error ?? '', /runnersPath/);
  });

  test('values of a wrong type are null, with one notice per column', async () => {
    await service.fault({ route: 'tasks', kind: 'wrong-types' });
    const frame = frameOf(await plugin.ask(dataSourceFor(service.url), query));
    assert.equal(rowsOf(frame), 100);
    const created = frame.data.values[namesOf(frame).indexOf('dateCreation')];
    assert.equal(created[0], null, 'an unreadable date is not a wrong time');
    const notices = noticesOf(frame);
    assert.ok(notices.length > 0);
    assert.equal(new Set(notices).size, notices.length);
    assert.match(notices.join('\n'), /dateCreation/);
  });

  test('other queries of the same request are not affected', async () => {
    await service.fault({ route: 'tasks', kind: 'status', status: 400, body: { message: 'no' } });
    const [tasks, automations] = await plugin.askAll(dataSourceFor(service.url), [query, { queryType: 'automations' }]);
    assert.notEqual(tasks.error, undefined);
    assert.equal(rowsOf(frameOf(automations)), 5);
  });
});
