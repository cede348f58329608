import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { TaskRecord } from '../simulator/reports';
import { Client, TASKS } from '../simulator/testing';
import { frameJson } from './backend/frames';
import { Backend } from './backend/host';
import { parseOptions } from './options';
import { openService, type Service } from './service';

interface Deadline {
  automation: string;
  within?: string;
  timezone?: string;
  count?: number;
}

const HOUR = 3_600_000;

let service: Service;
before(async () => void (service = await openService(parseOptions([], {}))));
after(() => service.close());

/** Whether a deadline is done or late, from the rows of the service as plainly as possible. */
function stateOf({ automation, within, timezone = 'UTC', count = 1 }: Deadline, rows: TaskRecord[], now: number) {
  const own = rows.filter(({ activityLabel }) => activityLabel === automation);
  if (within) {
    const isOver = ({ dateCreation }: TaskRecord) => Date.parse(dateCreation) + parseFloat(within) * HOUR <= now;
    return own.some((task) => task.state === 'START' && isOver(task)) ? 'late' : '';
  }
  const dayOf = (time: string | number) => new Date(time).toLocaleDateString('sv', { timeZone: timezone });
  const today = own.filter(
    ({ finishStatus, dateLastModified: end }) => finishStatus === 'SUCCESS' && dayOf(end!) === dayOf(now)
  );
  return today.length >= count ? 'done' : '';
}

test('of the deadlines of the simulated service, one is done and one is late, at any time of day', async () => {
  const deadlines = service.dataSource.jsonData.deadlines as Deadline[];
  const client = new Client(service.dataSource.url);
  await client.login();
  for (let now = Date.parse('2026-11-01T00:05:00Z'); now < Date.parse('2026-11-09T00:00:00Z'); now += HOUR) {
    const freeze = new Date(now).toISOString();
    await client.send('POST', '/simulator/clock', { freeze });
    const rows = await client.all<TaskRecord>(`${TASKS}?days=2&size=2000`);
    const states = deadlines.map((one) => stateOf(one, rows, now));
    assert.ok(states.includes('done') && states.includes('late'), `${freeze}: ${states}`);
  }
  await client.send('POST', '/simulator/clock', { live: true });
});

test('Due today of the workbench shows one that is done, and one that is late', async () => {
  const backend = await Backend.start();
  try {
    const [from, to] = [Date.now() - 24 * HOUR, Date.now()];
    const json = { queryType: 'tasks', format: 'deadlines' };
    const query = { refId: 'A', json, from, to, intervalMs: 60_000, maxDataPoints: 1_000 };
    const { A: answer } = await backend.queryData(service.dataSource, [query]);
    const { schema, data } = frameJson(answer.frames[0]);
    const states = data.values[schema.fields.findIndex(({ name }) => name === 'state')];
    assert.ok(states.includes('done') && states.includes('late'), `${states}`);
  } finally {
    await backend.stop();
  }
});
