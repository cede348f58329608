import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { AutomationRecord, TaskRecord } from './reports';
import { AUTOMATIONS, type Client, RUNNERS, simulated, TASKS } from './testing';

const timeout = 60_000;

test(
  'a success rate changes the reports and the tasks themselves, and can be restored',
  { timeout },
  simulated({ pageSize: 2_000 }, async (client) => {
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
  'an invalid success rate is refused',
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
  'churn adds new tasks at the top and moves every other down',
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
  'without automations, no tasks can be added',
  { timeout },
  simulated({ automations: 0 }, async (client) => {
    const response = await client.send('POST', '/simulator/churn', { n: 1 });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /--automations/);
  })
);

test(
  'unknown fields appear in every data set, and disappear again',
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
  'the clock can be read, frozen, moved, and set live again',
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
    assert.deepEqual(summary.logins, { total: 2, succeeded: 1 });
    assert.ok(summary.maxInFlight >= 1);
    const page = summary.requests.find((entry: { path: string }) => entry.path === `${TASKS}?page=1`);
    assert.deepEqual([page.method, page.status, page.aborted, page.fault], ['GET', 200, false, null]);
    assert.ok(page.headers.includes('token') && page.headers.includes('organization') && page.userAgent);
    assert.ok(!text.includes(client.headers.token) && !text.includes('demo-key'));
  })
);

test(
  'requests in flight and aborted requests are visible',
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
    assert.deepEqual([summary.maxInFlight, summary.aborted, summary.inFlight], [5, 1, 0]);
  })
);

test(
  'gzip is used if the client accepts it',
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

const options = { tasksTotal: 200 };

const read = (client: Client) => client.all<TaskRecord>(TASKS);
const change = (client: Client, body: object) => client.send('POST', '/simulator/tasks', body);

/** Tasks in the totals of the automations route. */
async function counted(client: Client): Promise<number> {
  const automations = await client.all<AutomationRecord>(AUTOMATIONS);
  return automations.reduce((sum, { taskCount }) => sum + taskCount, 0);
}

/** Changes a task and returns its new record; checks that everything else is unchanged. */
async function changed(client: Client, body: object): Promise<{ before: TaskRecord; after: TaskRecord }> {
  const all = await read(client);
  const response = await change(client, body);
  assert.equal(response.status, 200, await response.clone().text());
  const after: TaskRecord = await response.json();
  assert.deepEqual(
    await read(client),
    all.map((task) => (task.id === after.id ? after : task))
  );
  return { before: all.find(({ id }) => id === after.id)!, after };
}

test(
  'a task far down the list runs forever, until it is finished',
  { timeout },
  simulated(options, async (client) => {
    const { before, after } = await changed(client, { row: 150, change: 'stick' });
    assert.equal(before.state, 'FINISHED');
    assert.deepEqual([after.state, after.finishStatus, after.totalItems ?? 0], ['RUNNING', null, 0]);

    await client.send('POST', '/simulator/clock', { advanceSeconds: 3600 });
    const later = (await read(client))[150];
    assert.equal(later.state, 'RUNNING');
    assert.ok(String(later.dateLastModified) > String(after.dateLastModified));

    const finished = (await changed(client, { id: after.id, change: 'finish' })).after;
    assert.equal(finished.state, 'FINISHED');
    assert.ok(finished.finishStatus);
    assert.equal(finished.dateLastModified, '2026-11-02T19:00:00.000+00:00');
  })
);

test(
  'a task times out, and finishes later',
  { timeout },
  simulated(options, async (client) => {
    const { after } = await changed(client, { row: 150, change: 'timeout' });
    assert.deepEqual([after.state, after.finishStatus], ['TIMEOUT', null]);
    assert.equal(after.dateLastModified, '2026-11-02T18:00:00.000+00:00');

    await client.send('POST', '/simulator/clock', { advanceSeconds: 3600 });
    const later = (await read(client))[150];
    assert.deepEqual([later.state, later.dateLastModified], ['TIMEOUT', after.dateLastModified]);
    assert.equal((await changed(client, { id: after.id, change: 'finish' })).after.state, 'FINISHED');
  })
);

test(
  'a new task is finished or canceled immediately',
  { timeout },
  simulated(options, async (client) => {
    await client.send('POST', '/simulator/churn', { n: 2 });
    const finished = (await changed(client, { row: 0, change: 'finish' })).after;
    assert.equal(finished.state, 'FINISHED');
    assert.equal(finished.dateStartRunning, finished.dateLastModified);
    const canceled = (await changed(client, { row: 1, change: 'cancel' })).after;
    assert.deepEqual([canceled.state, canceled.dateStartRunning, canceled.machineId], ['CANCELED', null, null]);
  })
);

test(
  'a running task is canceled and keeps its runner',
  { timeout },
  simulated(options, async (client) => {
    const { id, machineId } = (await changed(client, { row: 3, change: 'stick' })).after;
    const canceled = (await changed(client, { id, change: 'cancel' })).after;
    assert.deepEqual([canceled.state, canceled.machineId], ['CANCELED', machineId]);
  })
);

test(
  'an ended task is edited, and only its items show it',
  { timeout },
  simulated(options, async (client) => {
    const { before, after } = await changed(client, { row: 100, change: 'edit' });
    assert.equal(after.totalItems, (before.totalItems ?? 0) + 1);
    assert.equal(Number(after.processedItems) + Number(after.failedItems), after.totalItems);
    assert.equal(after.dateLastModified, before.dateLastModified);
  })
);

test(
  'a task disappears from the middle, and another appears there',
  { timeout },
  simulated(options, async (client) => {
    const all = await read(client);
    assert.equal(await counted(client), all.length);
    const removed: TaskRecord = await (await change(client, { row: 77, change: 'remove' })).json();
    assert.deepEqual(removed, all[77]);
    assert.deepEqual(
      await read(client),
      all.filter((_, row) => row !== 77)
    );
    assert.equal(await counted(client), all.length - 1);

    await client.send('POST', '/simulator/churn', { n: 1, secondsAgo: 86_400 });
    const mended = await read(client);
    const row = mended.findIndex(({ id }) => !all.some((one) => one.id === id));
    assert.equal(mended[row].dateCreation, '2026-11-01T18:00:00.000+00:00');
    assert.ok(row > 0 && row < 77, `${row}`);
    assert.ok(mended[row].id > all[0].id, 'its ID shows when it was added');
    assert.equal(mended.length, all.length);
    assert.equal(await counted(client), all.length);
  })
);

test(
  'an impossible change of a task is refused and changes nothing',
  { timeout },
  simulated(options, async (client) => {
    const all = await read(client);
    const ended = all[100].id;
    for (const [body, status] of [
      [{ id: ended, change: 'finish' }, 409],
      [{ id: ended, change: 'cancel' }, 409],
      [{ row: 100 }, 400],
      [{ row: 100, change: 'delete' }, 400],
      [{ change: 'finish' }, 400],
      [{ id: ended, row: 100, change: 'edit' }, 400],
      [{ row: -1, change: 'edit' }, 400],
      [{ row: 200, change: 'edit' }, 404],
      [{ id: 1, change: 'edit' }, 404],
    ] as const) {
      const response = await change(client, body);
      assert.equal(response.status, status, JSON.stringify(body));
      assert.ok((await response.json()).message);
    }
    assert.deepEqual(await read(client), all);

    await client.send('POST', '/simulator/churn', { n: 1 });
    assert.equal((await change(client, { row: 0, change: 'edit' })).status, 409, 'not ended');
    await change(client, { row: 0, change: 'cancel' });
    for (const never of ['finish', 'cancel', 'stick', 'timeout', 'edit']) {
      assert.equal((await change(client, { row: 0, change: never })).status, 409, never);
    }
  })
);
