import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

import type { AutomationRecord, TaskRecord } from './reports';
import { simulated } from './simulated';
import { AUTOMATIONS, RUNNERS, TASKS } from './testing';

simulated(
  'a success rate changes the reports and the tasks themselves, and can be restored',
  { pageSize: 2_000 },
  async (client) => {
    const label = 'invoice-intake';
    const path = `/simulator/automations/${label}/success-rate`;
    const before = [await client.automations(), await client.all(TASKS)];

    for (const rate of [0, 0.5, 1]) {
      assert.equal((await client.send('POST', path, { rate })).status, 200);
      const tasks = (await client.all<TaskRecord>(TASKS)).filter((task) => task.finishStatus !== null);
      const own = tasks.filter((task) => task.activityLabel === label);
      const share = own.filter((task) => task.finishStatus === 'SUCCESS').length / own.length;
      const [automation] = (await client.automations(`?automation=${label}`)).content;
      assert.ok(Math.abs(share - rate) < 0.05, `${share} of the tasks at ${rate}`);
      assert.equal(automation.successRate, Number(share.toFixed(4)));
    }

    await client.send('POST', path, { rate: null });
    assert.deepEqual([await client.automations(), await client.all(TASKS)], before);
  }
);

simulated('the clock can be read, frozen, moved, and set live again', { frozen: undefined }, async (client) => {
  const set = async (body: object) => (await client.send('POST', '/simulator/clock', body)).json();
  assert.deepEqual(await set({ freeze: '2026-01-05T12:00:00-03:00' }), {
    now: '2026-01-05T15:00:00.000Z',
    frozen: true,
  });
  assert.deepEqual(await set({ advanceSeconds: -60 }), { now: '2026-01-05T14:59:00.000Z', frozen: true });
  const before = Date.now();
  const live = await set({ live: true });
  // In whole seconds.
  assert.ok(before - 1000 < Date.parse(live.now) && Date.parse(live.now) <= Date.now() && !live.frozen);
  assert.equal((await client.send('POST', '/simulator/clock', { freeze: 'soon' })).status, 400);
});

simulated('requests are counted by route and status, without secrets', {}, async (client) => {
  await client.send('DELETE', '/simulator/requests');
  await client.login();
  await client.login('demo', 'wrong');
  await Promise.all([client.get(`${TASKS}?page=1`), client.get(TASKS), client.get(AUTOMATIONS), client.get(RUNNERS)]);
  await client.get('/api/elsewhere');
  const response = await client.get('/simulator/requests');
  const text = await response.text();
  const summary = JSON.parse(text);
  assert.equal(summary.total, 7);
  assert.deepEqual(summary.byRoute, { login: 2, tasks: 2, automation: 1, runner: 1, other: 1 });
  assert.deepEqual(summary.logins, { total: 2, succeeded: 1 });
  assert.ok(summary.maxInFlight >= 1);
  const page = summary.requests.find((entry: { path: string }) => entry.path === `${TASKS}?page=1`);
  assert.deepEqual([page.method, page.status, page.aborted, page.fault], ['GET', 200, false, null]);
  assert.ok(page.headers.includes('token') && page.headers.includes('organization') && page.userAgent);
  assert.ok(!text.includes(client.headers.token) && !text.includes('demo-key'));
});

simulated('requests in flight and aborted requests are visible', { latency: 3_000 }, async (client) => {
  await client.send('DELETE', '/simulator/requests');
  const leaving = new AbortController();
  const left = fetch(client.url + TASKS, { headers: client.headers, signal: leaving.signal });
  const served = Array.from({ length: 4 }, () => client.get(TASKS));
  const requests = () => client.json<Record<string, unknown>>('/simulator/requests');
  while ((await requests()).inFlight !== 5) {
    await setTimeout(20);
  }
  leaving.abort();
  await assert.rejects(left);
  await Promise.all(served);
  const summary = await requests();
  assert.deepEqual([summary.maxInFlight, summary.aborted, summary.inFlight], [5, 1, 0]);
});

simulated('a task is canceled, or disappears, and the totals follow', {}, async (client) => {
  const change = (id: number, change: string) => client.send('POST', '/simulator/tasks', { id, change });
  const counted = async () =>
    (await client.all<AutomationRecord>(AUTOMATIONS)).reduce((sum, { taskCount }) => sum + taskCount, 0);
  const all = await client.all<TaskRecord>(TASKS);
  const queued = all.find(({ state }) => state === 'START')!;
  const canceled: TaskRecord = await (await change(queued.id, 'cancel')).json();
  assert.deepEqual([canceled.state, canceled.dateStartRunning, canceled.machineId], ['CANCELED', null, null]);
  assert.equal(await counted(), all.length);

  const removed: TaskRecord = await (await change(queued.id, 'remove')).json();
  assert.deepEqual(removed, canceled);
  assert.deepEqual(
    await client.all(TASKS),
    all.filter(({ id }) => id !== queued.id)
  );
  assert.equal(await counted(), all.length - 1);

  const ended = all.find(({ state }) => state === 'FINISHED')!;
  assert.equal((await change(ended.id, 'cancel')).status, 409);
  assert.equal((await change(ended.id, 'delete')).status, 400);
  assert.equal((await change(1, 'cancel')).status, 404);
});
