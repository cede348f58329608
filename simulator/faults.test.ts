import assert from 'node:assert/strict';

import type { Fault } from './faults';
import type { RequestEntry } from './recorder';
import { simulated } from './simulated';
import { AUTOMATIONS, type Client, TASKS } from './testing';

function set(client: Client, fault: Partial<Fault>) {
  return client.send('POST', '/simulator/faults', fault);
}

async function statuses(client: Client, count: number): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < count; i++) {
    found.push((await client.get(TASKS)).status);
  }
  return found;
}

simulated(
  'a status applies to a number of requests, after a number of others, with Retry-After',
  {},
  async (client) => {
    await set(client, { route: 'tasks', kind: 'status', status: 429, retryAfter: 2, times: 2, afterRequests: 1 });
    assert.equal((await client.get(AUTOMATIONS)).status, 200);
    assert.deepEqual(await statuses(client, 5), [200, 429, 429, 200, 200]);

    await set(client, { route: 'tasks', kind: 'status', status: 503, retryAfter: 7, body: 'busy', times: 1 });
    const response = await client.get(TASKS);
    assert.deepEqual([response.headers.get('retry-after'), await response.text()], ['7', 'busy']);
  }
);

simulated('html and any body are not responses of the service', {}, async (client) => {
  await set(client, { route: 'tasks', kind: 'html', times: 1 });
  const html = await client.get(TASKS);
  assert.deepEqual([html.status, html.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.match(await html.text(), /<html>/);

  for (const body of ['', { ok: true }]) {
    await set(client, { route: 'tasks', kind: 'status', status: 200, body, times: 1 });
    const response = await client.get(TASKS);
    assert.deepEqual([response.status, await response.text()], [200, body && JSON.stringify(body)]);
  }
});

simulated('truncate ends in the middle of the announced body', {}, async (client) => {
  await set(client, { route: 'tasks', kind: 'truncate', times: 1 });
  const response = await client.get(TASKS);
  assert.equal(response.status, 200);
  assert.ok(Number(response.headers.get('content-length')) > 1000);
  await assert.rejects(response.text());
  assert.deepEqual(await statuses(client, 1), [200]);
});

simulated('drop closes the connection without a response', {}, async (client) => {
  await client.send('DELETE', '/simulator/requests');
  await set(client, { route: 'tasks', kind: 'drop', times: 1 });
  await assert.rejects(client.get(TASKS));
  assert.deepEqual(await statuses(client, 1), [200]);
  const { requests, aborted } = await client.json<{ requests: RequestEntry[]; aborted: number }>('/simulator/requests');
  assert.deepEqual([requests.map(({ status }) => status), aborted], [[null, 200], 0]);
});

simulated('an invalid fault is refused by name', {}, async (client) => {
  for (const [fault, name] of [
    [{ kind: 'explode' }, 'kind'],
    [{ kind: 'status', route: 'task' }, 'route'],
    [{ kind: 'status', status: 204 }, 'status'],
    [{ kind: 'status', times: 0 }, 'times'],
    [{ kind: 'delay', delay: 3 }, 'delay'],
  ] as const) {
    const response = await client.send('POST', '/simulator/faults', fault);
    assert.equal(response.status, 400);
    assert.ok((await response.json()).message.includes(name));
  }
  assert.deepEqual(await statuses(client, 1), [200]);
});
