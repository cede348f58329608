import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Envelope } from './envelope';
import type { AutomationRecord, TaskRecord } from './records';
import { type Client, MONDAY, simulated, TASKS } from './testing';

const timeout = 60_000;
const dayMs = 86_400_000;
const now = Date.parse(MONDAY);

const created = ({ dateCreation }: TaskRecord) => Date.parse(dateCreation);
const labels = ({ content }: Envelope<AutomationRecord>) => content.map(({ label }) => label);
const change = (client: Client, label: string, body: object) =>
  client.send('POST', `/simulator/automations/${label}`, body);

for (const [days, beginning] of [
  ['rolling', now - 2 * dayMs],
  ['calendar', Date.parse('2026-10-31T00:00:00Z')],
] as const) {
  test(
    `a look back of 2 ${days} days`,
    { timeout },
    simulated({ days, pageSize: 2_000 }, async (client) => {
      const expected = (await client.all<TaskRecord>(`${TASKS}?days=9`)).filter((task) => created(task) > beginning);
      assert.deepEqual(await client.all(`${TASKS}?days=2`), expected);
      const { content } = await client.automations('?filterBy=2');
      assert.equal(
        content.reduce((sum, { taskCount }) => sum + taskCount, 0),
        expected.length
      );
    })
  );
}

test(
  'only the active are listed, where the options say so',
  { timeout },
  simulated({ listed: 'active', tasksTotal: 40, runners: 30 }, async (client) => {
    const tasks = await client.all<TaskRecord>(`${TASKS}?days=5`);
    const active = new Set(tasks.map(({ activityLabel }) => activityLabel));
    assert.ok(active.size < 12);
    assert.deepEqual(labels(await client.automations('?filterBy=5')), [...active].sort());
    const runners = new Set(tasks.flatMap(({ machineId }) => machineId ?? []));
    assert.deepEqual(new Set((await client.runners('?filterBy=5')).map(({ _id }) => _id)), runners);
  })
);

test(
  'an automation that was deleted leaves its tasks, and comes back as it was',
  { timeout },
  simulated({}, async (client) => {
    const [before, tasks] = [await client.automations(), await client.all(TASKS)];
    assert.equal((await change(client, 'stock-sync', { listed: false })).status, 200);
    assert.deepEqual(
      labels(await client.automations()),
      labels(before).filter((label) => label !== 'stock-sync')
    );
    assert.deepEqual(await client.all(TASKS), tasks);
    await change(client, 'stock-sync', { listed: true });
    assert.deepEqual(await client.automations(), before);
  })
);

test(
  'an automation that is new has no older tasks',
  { timeout },
  simulated({ pageSize: 2_000 }, async (client) => {
    const label = 'stock-sync';
    const before = await client.all<TaskRecord>(TASKS);
    await change(client, label, { secondsOld: 2 * 86_400 });
    assert.deepEqual(
      await client.all(TASKS),
      before.filter((task) => task.activityLabel !== label || created(task) >= now - 2 * dayMs)
    );
    const [short, long] = [
      await client.automations(`?automation=${label}&filterBy=2`),
      await client.automations(`?automation=${label}`),
    ];
    assert.ok(short.content[0].taskCount > 0);
    assert.equal(long.content[0].taskCount, short.content[0].taskCount);
  })
);

test(
  'what cannot become of an automation is refused',
  { timeout },
  simulated({}, async (client) => {
    for (const body of [{}, { listed: 'no' }, { secondsOld: -1 }, { listed: true, secondsOld: 1 }]) {
      assert.equal((await change(client, 'stock-sync', body)).status, 400, JSON.stringify(body));
    }
    assert.equal((await change(client, 'none-such', { listed: false })).status, 404);
    assert.equal((await change(client, 'none-such', { secondsOld: 1 })).status, 404);
  })
);
