import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { AutomationRecord, TaskRecord } from './records';
import { AUTOMATIONS, RUNNERS, simulated, TASKS } from './testing';

const timeout = 60_000;

test(
  'a success rate changes what is reported and the tasks themselves, and back',
  { timeout },
  simulated({}, async (client) => {
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
  })
);

test(
  'a success rate that cannot be is refused',
  { timeout },
  simulated({}, async (client) => {
    for (const rate of [-0.1, 1.1, '0.5', undefined]) {
      const response = await client.send('POST', '/simulator/automations/invoice-intake/success-rate', { rate });
      assert.equal(response.status, 400);
    }
    const response = await client.send('POST', '/simulator/automations/none-such/success-rate', { rate: 1 });
    assert.equal(response.status, 404);
  })
);

test(
  'churn puts new tasks on top and moves every other down',
  { timeout },
  simulated({}, async (client) => {
    const before = await client.tasks();
    await client.send('POST', '/simulator/churn', { n: 7 });
    const after = await client.tasks();
    assert.equal(after.totalElements, before.totalElements + 7);
    assert.deepEqual(after.content.slice(7), before.content.slice(0, 13));
    assert.deepEqual(
      after.content.slice(0, 7).map((task) => task.state),
      Array(7).fill('START')
    );
    assert.equal(new Set((await client.all<TaskRecord>(TASKS)).map((task) => task.id)).size, after.totalElements);
  })
);

test(
  'unknown fields appear in every data set, and go',
  { timeout },
  simulated({}, async (client) => {
    await client.send('POST', '/simulator/unknown-fields', { enabled: true });
    for (const [row] of [
      (await client.tasks()).content,
      (await client.automations()).content,
      await client.runners(),
    ]) {
      const { queueName, retryCount, context } = { queueName: '', retryCount: '', context: '', ...row };
      assert.deepEqual([typeof queueName, typeof retryCount, typeof context], ['string', 'number', 'object']);
    }
    await client.send('POST', '/simulator/unknown-fields', { enabled: false });
    assert.ok(!('queueName' in (await client.tasks()).content[0]));
  })
);

test(
  'the clock is read, frozen, moved and let go',
  { timeout },
  simulated({ frozen: undefined }, async (client) => {
    const set = async (body: object) => (await client.send('POST', '/simulator/clock', body)).json();
    assert.deepEqual(await set({ freeze: '2026-01-05T12:00:00-03:00' }), {
      now: '2026-01-05T15:00:00.000Z',
      frozen: true,
    });
    assert.deepEqual(await set({ advanceSeconds: -60 }), { now: '2026-01-05T14:59:00.000Z', frozen: true });
    const live = await set({ live: true });
    assert.ok(Math.abs(Date.parse(live.now) - Date.now()) < 5000 && !live.frozen);
    assert.equal((await client.send('POST', '/simulator/clock', { freeze: 'soon' })).status, 400);
  })
);

test(
  'requests are counted by route and status, without secrets',
  { timeout },
  simulated({}, async (client) => {
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
    assert.deepEqual(summary.byStatus, { 200: 5, 401: 1, 404: 1 });
    assert.deepEqual(summary.logins, { total: 2, succeeded: 1 });
    assert.ok(summary.maxInFlight >= 1 && summary.connections >= 1);
    const page = summary.requests.find((entry: { path: string }) => entry.path === `${TASKS}?page=1`);
    assert.deepEqual([page.method, page.status, page.aborted, page.fault], ['GET', 200, false, null]);
    assert.ok(page.headers.includes('token') && page.headers.includes('organization') && page.userAgent);
    assert.ok(!text.includes(client.headers.token) && !text.includes('demo-key'));
  })
);

test(
  'requests in flight and left ones are seen',
  { timeout },
  simulated({ latency: 300 }, async (client) => {
    await client.send('DELETE', '/simulator/requests');
    const leaving = new AbortController();
    const left = fetch(client.url + TASKS, { headers: client.headers, signal: leaving.signal });
    const served = Array.from({ length: 4 }, () => client.get(TASKS));
    setTimeout(() => leaving.abort(), 100);
    await assert.rejects(left);
    await Promise.all(served);
    const summary = await client.json<Record<string, unknown>>('/simulator/requests');
    assert.deepEqual([summary.maxInFlight, summary.connections, summary.aborted, summary.inFlight], [5, 5, 1, 0]);
  })
);

test(
  'gzip is used where it is accepted',
  { timeout },
  simulated({}, async (client) => {
    for (const encoding of ['gzip', 'identity']) {
      const response = await fetch(client.url + TASKS, { headers: { ...client.headers, 'Accept-Encoding': encoding } });
      assert.equal(response.headers.get('content-encoding'), encoding === 'gzip' ? 'gzip' : null);
      assert.equal((await response.json()).content.length, 20);
    }
  })
);

test(
  'health and world tell what runs, without the key',
  { timeout },
  simulated({ automations: 3 }, async (client) => {
    assert.deepEqual(await client.json('/simulator/health'), { status: 'ok' });
    const text = await (await client.get('/simulator/world')).text();
    const world = JSON.parse(text);
    assert.deepEqual([world.options.automations, world.automations.length, world.clock.frozen], [3, 3, true]);
    assert.ok(!text.includes('demo-key'));
  })
);

test(
  'reported numbers follow the clock',
  { timeout },
  simulated({}, async (client) => {
    const count = async () =>
      (await client.all<AutomationRecord>(`${AUTOMATIONS}?filterBy=1`)).map((row) => row.taskCount);
    const before = await count();
    await client.send('POST', '/simulator/clock', { advanceSeconds: 43_200 });
    assert.notDeepEqual(await count(), before);
  })
);
