import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { AutomationRecord, TaskRecord } from './records';
import { AUTOMATIONS, type Client, simulated, TASKS } from './testing';

const timeout = 60_000;
const options = { tasksTotal: 200 };

const read = (client: Client) => client.all<TaskRecord>(TASKS);
const change = (client: Client, body: object) => client.send('POST', '/simulator/tasks', body);

/** Tasks that the automations route has added up. */
async function counted(client: Client): Promise<number> {
  const automations = await client.all<AutomationRecord>(AUTOMATIONS);
  return automations.reduce((sum, { taskCount }) => sum + taskCount, 0);
}

/** Changes a task and gives it as it is then; everything else stays as it was. */
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
  'a task far down runs for ever, until it is finished',
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
  'a new task is finished or canceled at once',
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
  'a running task is canceled with its runner',
  { timeout },
  simulated(options, async (client) => {
    const { id, machineId } = (await changed(client, { row: 3, change: 'stick' })).after;
    const canceled = (await changed(client, { id, change: 'cancel' })).after;
    assert.deepEqual([canceled.state, canceled.machineId], ['CANCELED', machineId]);
  })
);

test(
  'an ended task is edited, and only its items tell',
  { timeout },
  simulated(options, async (client) => {
    const { before, after } = await changed(client, { row: 100, change: 'edit' });
    assert.equal(after.totalItems, (before.totalItems ?? 0) + 1);
    assert.equal(Number(after.processedItems) + Number(after.failedItems), after.totalItems);
    assert.equal(after.dateLastModified, before.dateLastModified);
  })
);

test(
  'a task vanishes from the middle, and one comes there',
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
    assert.ok(mended[row].id > all[0].id, 'its id tells when it came');
    assert.equal(mended.length, all.length);
    assert.equal(await counted(client), all.length);
  })
);

test(
  'what cannot happen to a task is refused, and changes nothing',
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
    assert.equal((await change(client, { row: 0, change: 'edit' })).status, 409, 'not at its end');
    await change(client, { row: 0, change: 'cancel' });
    for (const never of ['finish', 'cancel', 'stick', 'edit']) {
      assert.equal((await change(client, { row: 0, change: never })).status, 409, never);
    }
  })
);
