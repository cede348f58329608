import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { fieldNames, getDataSet } from '../schema/datasets';
import type { Fault } from './faults';
import type { Envelope } from './lists';
import type { RequestEntry } from './recorder';
import type { TaskRecord } from './reports';
import { tokens } from './session';
import { simulated, withSimulator } from './simulated';
import { AUTOMATIONS, type Client, RUNNERS, TASKS } from './testing';

simulated('data routes require a token of a login and its organization', { organization: 'globex' }, async (client) => {
  for (const [login, key] of [
    ['demo', 'wrong'],
    ['wrong', 'demo-key'],
  ]) {
    const response = await client.login(login, key);
    assert.deepEqual([response.status, await response.json()], [401, { message: 'Invalid login or key' }]);
  }
  const { token, organization } = client.headers;
  assert.match(token, tokens);
  assert.equal(organization, 'globex');
  for (const path of [TASKS, AUTOMATIONS, RUNNERS]) {
    for (const [headers, status] of [
      [{ organization }, 401],
      [{ token: 'unknown', organization }, 401],
      [{ token, organization: 'other' }, 403],
      [{ token, organization }, 200],
    ] as const) {
      client.headers = { ...headers };
      const response = await client.get(path);
      assert.equal(response.status, status, `${path} ${Object.keys(headers)}`);
      assert.equal(typeof (await response.json()).message, status === 200 ? 'undefined' : 'string');
    }
  }
  const status = await new Promise((resolve) => {
    // fetch always sends a user agent.
    request(client.url + TASKS, { headers: client.headers }, (response) => {
      resolve(response.resume().statusCode);
    }).end();
  });
  assert.equal(status, 403);
});

simulated('tokens expire on request, and with the key that they are from', {}, async (client) => {
  const status = async () => (await client.get(TASKS)).status;
  await client.control('POST', 'expire-tokens');
  assert.equal(await status(), 401);
  await client.login();
  assert.equal(await status(), 200);
  assert.ok(!JSON.stringify(await client.control('POST', 'key', { key: 'another-key' })).includes('another-key'));
  assert.equal(await status(), 401);
  assert.equal((await client.login('demo', 'demo-key')).status, 401);
  await client.login('demo', 'another-key');
  assert.equal(await status(), 200);
});

simulated('a page has the complete envelope, and the newest tasks first', { tasksTotal: 41 }, async (client) => {
  const { content, ...rest } = await client.tasks('?page=1');
  const sort = { sorted: true, empty: false, unsorted: false };
  assert.equal(content.length, 20);
  assert.deepEqual(rest, {
    ...{ number: 1, size: 20, totalElements: 41, totalPages: 3, numberOfElements: 20, sort },
    ...{ first: false, last: false, empty: false },
    pageable: { pageNumber: 1, pageSize: 20, sort, offset: 20, paged: true, unpaged: false },
  });
  assert.deepEqual((await client.tasks('?page=2')).last, true);
  const dates = (await client.all<TaskRecord>(TASKS)).map((task) => task.dateCreation);
  assert.deepEqual(dates, [...dates].sort().reverse());
});

simulated('records have the fields of the specification, in its order', { costs: 'zero' }, async (client) => {
  const [task] = (await client.tasks()).content;
  assert.deepEqual(Object.keys(task), fieldNames(getDataSet('tasks')));
  assert.match(task.dateCreation, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
  const [automation] = (await client.automations()).content;
  assert.deepEqual(Object.keys(automation), fieldNames(getDataSet('automations')));
  assert.match(automation.date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
  const [runner] = await client.runners();
  assert.deepEqual(Object.keys(runner), fieldNames(getDataSet('runners')));
  const text = await (await client.get(AUTOMATIONS)).text();
  assert.match(text, /"taskCount":\d+,"sumItems":\d+\.0,.*"roi":0\.0,"fte":0\.0,"savings":0\.0}/);
});

simulated('days and filterBy look back from now, no further than the history', { pageSize: 2_000 }, async (client) => {
  const now = Date.parse('2026-11-02T18:00:00Z');
  const all = await client.all<TaskRecord>(TASKS);
  for (const days of [1, 7, 30, 100_000]) {
    const expected = all.filter((task) => Date.parse(task.dateCreation) > now - days * 86_400_000).length;
    assert.equal((await client.tasks(`?days=${days}`)).totalElements, expected);
    const { content } = await client.automations(`?filterBy=${days}`);
    const counted = content.reduce((sum, automation) => sum + automation.taskCount, 0);
    assert.equal(counted, expected);
  }
  assert.deepEqual(await client.tasks(), await client.tasks('?days=30&page=0'));
});

simulated('lists are sorted and searched as specified', { automations: 40, pageSize: 100 }, async (client) => {
  const compare = <T extends string | number>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);
  for (const field of ['label', 'date', 'repositoryLabel', 'taskCount', 'sumItems', 'sumItemsError'] as const) {
    const ascending = (await client.automations(`?sort=${field},asc`)).content.map((row) => row[field]);
    assert.deepEqual(ascending, [...ascending].sort(compare));
    const descending = (await client.automations(`?sort=${field},desc`)).content.map((row) => row[field]);
    assert.deepEqual(descending, [...ascending].reverse());
  }
  for (const field of ['_id', 'tasks', 'items', 'itemsErrorCount', 'utilizationRate'] as const) {
    const values = (await client.runners(`?sort=${field},desc`)).map((row) => row[field]);
    assert.deepEqual(values, [...values].sort(compare).reverse());
  }
  assert.deepEqual(await client.automations(), await client.automations('?sort=label,asc'));
  assert.deepEqual(await client.runners(), await client.runners('?sort=tasks,desc'));
  const found = (await client.automations('?automation=INVOICE')).content.map((row) => row.label);
  assert.deepEqual(found, ['invoice-intake', 'invoice-intake-2', 'invoice-intake-3']);
  assert.equal((await client.automations('?automation=none-such')).totalElements, 0);
  const runners = (await client.runners('?runner=Runner-03')).map((row) => row._id);
  assert.deepEqual(runners, ['runner-03']);
});

simulated('an invalid parameter or fault is refused by name', {}, async (client) => {
  const assertNamed = async (response: Response, name: string) => {
    assert.equal(response.status, 400, name);
    assert.ok((await response.json()).message.includes(name), name);
  };
  for (const [path, name] of [
    [`${AUTOMATIONS}?sort=successRate,asc`, 'successRate'],
    [`${AUTOMATIONS}?sort=label,up`, 'label,up'],
    [`${TASKS}?days=1.5`, 'days'],
    [`${TASKS}?page=-1`, 'page'],
    [`${AUTOMATIONS}?filterBy=week`, 'filterBy'],
  ]) {
    await assertNamed(await client.get(path), name);
  }
  for (const [fault, name] of [
    [{ kind: 'explode' }, 'kind'],
    [{ kind: 'status', route: 'task' }, 'route'],
    [{ kind: 'status', status: 204 }, 'status'],
    [{ kind: 'status', times: 0 }, 'times'],
    [{ kind: 'delay', delay: 3 }, 'delay'],
  ] as const) {
    await assertNamed(await client.send('POST', '/simulator/faults', fault), name);
  }
  assert.deepEqual(await statuses(client, 1), [200]);
});

test('the parameter size is ignored, honored up to the largest page, or refused with a message', async () => {
  const many = { tasksTotal: 300, automations: 300, runners: 300, runnersShape: 'envelope' } as const;
  for (const [options, query, expected] of [
    [{}, '&size=100', 20],
    [{ size: 'honored' }, '&size=7', 7],
    [{ size: 'honored', maxPageSize: 50 }, '&size=2000', 50],
    [{ size: 'refused' }, '', 20],
  ] as const) {
    await withSimulator({ ...many, ...options }, async (client) => {
      for (const path of [TASKS, AUTOMATIONS, RUNNERS]) {
        const { size, pageable, content } = await client.json<Envelope<object>>(`${path}?page=1${query}`);
        assert.deepEqual([size, pageable.offset, content.length], [expected, expected, expected], path);
      }
    });
  }
  await withSimulator({ size: 'refused' }, async (client) => {
    const response = await client.get(`${TASKS}?size=20`);
    assert.deepEqual([response.status, await response.json()], [400, { message: 'Parameter size is unknown' }]);
  });
});

interface Summary {
  total: number;
  byRoute: object;
  logins: object;
  aborted: number;
  inFlight: number;
  maxInFlight: number;
  requests: RequestEntry[];
}

simulated('requests are counted by route and status, without secrets', {}, async (client) => {
  await client.control('DELETE', 'requests');
  await client.login();
  await client.login('demo', 'wrong');
  await Promise.all([client.get(`${TASKS}?page=1`), client.get(TASKS), client.get(AUTOMATIONS), client.get(RUNNERS)]);
  await client.get('/api/elsewhere');
  const summary = await client.control<Summary>('GET', 'requests');
  assert.equal(summary.total, 7);
  assert.deepEqual(summary.byRoute, { login: 2, tasks: 2, automation: 1, runner: 1, other: 1 });
  assert.deepEqual(summary.logins, { total: 2, succeeded: 1 });
  const page = summary.requests.find(({ path }) => path === `${TASKS}?page=1`)!;
  assert.deepEqual([page.method, page.status, page.aborted, page.fault], ['GET', 200, false, null]);
  assert.ok(page.headers.includes('token') && page.headers.includes('organization') && page.userAgent);
  const text = JSON.stringify(summary);
  assert.ok(!text.includes(client.headers.token) && !text.includes('demo-key'));
});

simulated('requests in flight and aborted requests are visible', {}, async (client) => {
  // Longer than any machine takes to send them: nobody waits for the responses.
  await client.control('POST', 'faults', { kind: 'delay', delayMs: 3_600_000 });
  await client.control('DELETE', 'requests');
  const leaving = new AbortController();
  const { headers } = client;
  const asked = Array.from({ length: 5 }, () => fetch(client.url + TASKS, { headers, signal: leaving.signal }));
  const left = Promise.allSettled(asked);
  const until = async (count: number) => {
    for (;;) {
      const { maxInFlight, aborted, inFlight } = await client.control<Summary>('GET', 'requests');
      if (inFlight === count) {
        return { maxInFlight, aborted };
      }
      await setTimeout(20);
    }
  };
  assert.deepEqual(await until(5), { maxInFlight: 5, aborted: 0 });
  leaving.abort();
  await left;
  assert.deepEqual(await until(0), { maxInFlight: 5, aborted: 5 });
});

async function statuses(client: Client, count: number): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < count; i++) {
    found.push((await client.get(TASKS)).status);
  }
  return found;
}

simulated(
  'faults: a status, after some requests and for some; another body; half of a body; none',
  {},
  async (client) => {
    const set = (fault: Partial<Fault>) => client.control('POST', 'faults', fault);
    const next = async (fault: Partial<Fault>) => {
      await set({ route: 'tasks', times: 1, ...fault });
      return client.get(TASKS);
    };
    await set({ route: 'tasks', kind: 'status', status: 429, times: 2, afterRequests: 1 });
    assert.equal((await client.get(AUTOMATIONS)).status, 200);
    assert.deepEqual(await statuses(client, 5), [200, 429, 429, 200, 200]);

    const busy = await next({ kind: 'status', status: 503, retryAfter: 7, body: 'busy' });
    assert.deepEqual([busy.headers.get('retry-after'), await busy.text()], ['7', 'busy']);
    const html = await next({ kind: 'html' });
    assert.deepEqual([html.status, html.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    assert.match(await html.text(), /<html>/);
    for (const body of ['', { ok: true }]) {
      const response = await next({ kind: 'status', status: 200, body });
      assert.deepEqual([response.status, await response.text()], [200, body && JSON.stringify(body)]);
    }
    const half = await next({ kind: 'truncate' });
    assert.ok(Number(half.headers.get('content-length')) > 1000);
    await assert.rejects(half.text());

    await client.control('DELETE', 'requests');
    await assert.rejects(next({ kind: 'drop' }));
    assert.deepEqual(await statuses(client, 1), [200]);
    const { requests, aborted } = await client.control<Summary>('GET', 'requests');
    assert.deepEqual([requests.map(({ status }) => status), aborted], [[null, 200], 0]);
  }
);
