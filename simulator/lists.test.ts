import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fieldNames, getDataSet } from '../schema/datasets';
import type { Envelope } from './lists';
import type { SimulatorOptions } from './options';
import type { AutomationRecord, RunnerRecord, TaskRecord } from './reports';
import { AUTOMATIONS, type Client, RUNNERS, simulated, TASKS } from './testing';

const timeout = 120_000;

test(
  'a page has the complete envelope',
  { timeout },
  simulated({ tasksTotal: 41 }, async (client) => {
    const { content, ...rest } = await client.tasks('?page=1');
    const sort = { sorted: true, empty: false, unsorted: false };
    assert.equal(content.length, 20);
    assert.deepEqual(rest, {
      number: 1,
      size: 20,
      totalElements: 41,
      totalPages: 3,
      numberOfElements: 20,
      first: false,
      last: false,
      empty: false,
      sort,
      pageable: { pageNumber: 1, pageSize: 20, sort, offset: 20, paged: true, unpaged: false },
    });
    assert.deepEqual((await client.tasks('?page=2')).last, true);
  })
);

test(
  'records have the fields of the specification, in its order',
  { timeout },
  simulated({}, async (client) => {
    const [task] = (await client.tasks()).content;
    assert.deepEqual(Object.keys(task), fieldNames(getDataSet('tasks')));
    assert.match(task.dateCreation, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
    const [automation] = (await client.automations()).content;
    assert.deepEqual(Object.keys(automation), fieldNames(getDataSet('automations')));
    assert.match(automation.date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
    const [runner] = await client.runners();
    assert.deepEqual(Object.keys(runner), fieldNames(getDataSet('runners')));
  })
);

test(
  'decimals keep their point',
  { timeout },
  simulated({ costs: 'zero' }, async (client) => {
    const text = await (await client.get(AUTOMATIONS)).text();
    assert.match(text, /"taskCount":\d+,"sumItems":\d+\.0,/);
    assert.match(text, /"roi":0\.0,"fte":0\.0,"savings":0\.0}/);
  })
);

test('every number of records is returned, each once', { timeout }, async () => {
  for (const count of [0, 1, 20, 21, 399]) {
    await simulated(
      { tasksTotal: count, automations: count, runners: count, runnersShape: 'envelope' },
      async (client) => {
        const tasks = await client.all<TaskRecord>(TASKS);
        const automations = await client.all<AutomationRecord>(AUTOMATIONS);
        const runners = await client.all<RunnerRecord>(RUNNERS);
        assert.equal(new Set(tasks.map((task) => task.id)).size, count);
        assert.equal(new Set(automations.map((automation) => automation.label)).size, count);
        assert.equal(new Set(runners.map((runner) => runner._id)).size, count);
        assert.equal(tasks.length + automations.length + runners.length, 3 * count);
      }
    )();
  }
});

test('a world can lack one of its parts', { timeout }, async () => {
  for (const options of [{ automations: 0 }, { runners: 0 }, { tasksTotal: 0 }]) {
    await simulated({ tasksTotal: 60, ...options }, async (client) => {
      assert.equal((await client.all(TASKS)).length, options.automations ?? options.tasksTotal ?? 60);
      assert.equal((await client.all(AUTOMATIONS)).length, options.automations ?? 16);
      assert.equal((await client.runners()).length, options.runners ?? 8);
    })();
  }
});

test(
  'tasks are ordered newest first',
  { timeout },
  simulated({}, async (client) => {
    const dates = (await client.all<TaskRecord>(`${TASKS}?days=2`)).map((task) => task.dateCreation);
    assert.ok(dates.length > 20);
    assert.deepEqual(dates, [...dates].sort().reverse());
  })
);

test(
  'days and filterBy look back from now, no further than the history',
  { timeout },
  simulated({ pageSize: 2_000 }, async (client) => {
    const now = Date.parse('2026-11-02T18:00:00Z');
    const all = await client.all<TaskRecord>(TASKS);
    for (const days of [1, 7, 30, 31, 100_000]) {
      const expected = all.filter((task) => Date.parse(task.dateCreation) > now - days * 86_400_000).length;
      assert.equal((await client.tasks(`?days=${days}`)).totalElements, expected);
      const { content } = await client.automations(`?filterBy=${days}`);
      assert.equal(
        content.reduce((sum, automation) => sum + automation.taskCount, 0),
        expected
      );
    }
    assert.deepEqual(await client.tasks(), await client.tasks('?days=30&page=0'));
  })
);

test(
  'lists sort by the fields of the specification',
  { timeout },
  simulated({ automations: 20 }, async (client) => {
    for (const field of ['label', 'date', 'repositoryLabel', 'taskCount', 'sumItems', 'sumItemsError'] as const) {
      const ascending = (await client.automations(`?sort=${field},asc`)).content.map((row) => row[field]);
      assert.deepEqual(
        ascending,
        [...ascending].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      );
      const descending = (await client.automations(`?sort=${field},desc`)).content.map((row) => row[field]);
      assert.deepEqual(descending, [...ascending].reverse());
    }
    for (const field of ['_id', 'tasks', 'items', 'itemsErrorCount', 'utilizationRate'] as const) {
      const values = (await client.runners(`?sort=${field},desc`)).map((row) => row[field]);
      assert.deepEqual(
        values,
        [...values].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0))
      );
    }
    assert.deepEqual(await client.automations(), await client.automations('?sort=label,asc'));
    assert.deepEqual(await client.runners(), await client.runners('?sort=tasks,desc'));
  })
);

test(
  'an invalid parameter is refused by name',
  { timeout },
  simulated({}, async (client) => {
    for (const [path, name] of [
      [`${AUTOMATIONS}?sort=successRate,asc`, 'successRate'],
      [`${AUTOMATIONS}?sort=label,up`, 'label,up'],
      [`${AUTOMATIONS}?sort=label`, 'label'],
      [`${RUNNERS}?sort=label,asc`, 'label'],
      [`${TASKS}?days=0`, 'days'],
      [`${TASKS}?days=1.5`, 'days'],
      [`${TASKS}?page=-1`, 'page'],
      [`${AUTOMATIONS}?filterBy=week`, 'filterBy'],
    ]) {
      const response = await client.get(path);
      assert.equal(response.status, 400, path);
      assert.ok((await response.json()).message.includes(name), path);
    }
  })
);

test(
  'search matches part of a label, ignoring case',
  { timeout },
  simulated({ automations: 40 }, async (client) => {
    const found = (await client.automations('?automation=INVOICE')).content.map((row) => row.label);
    assert.deepEqual(found, ['invoice-intake', 'invoice-intake-2', 'invoice-intake-3']);
    assert.equal((await client.automations('?automation=none-such')).totalElements, 0);
    assert.deepEqual(
      (await client.runners('?runner=Runner-03')).map((row) => row._id),
      ['runner-03']
    );
  })
);

test('runners are an array or an envelope, on the configured path', { timeout }, async () => {
  await simulated({ runners: 25, runnersPath: '/api/v1/insights/bots' }, async (client) => {
    assert.equal((await client.get(RUNNERS)).status, 404);
    assert.equal((await client.json<RunnerRecord[]>('/api/v1/insights/bots')).length, 25);
  })();
  await simulated({ runners: 25, runnersShape: 'envelope' }, async (client) => {
    const page = await client.json<Envelope<RunnerRecord>>(RUNNERS);
    assert.deepEqual([page.content.length, page.totalElements, page.totalPages], [20, 25, 2]);
  })();
});

const many: Partial<SimulatorOptions> = {
  tasksTotal: 300,
  automations: 300,
  runners: 300,
  runnersShape: 'envelope',
};

/** Sizes of the second page of every paged route: both reported ones, and the actual one. */
async function pageSizes(client: Client, query: string): Promise<number[][]> {
  const pages = [TASKS, AUTOMATIONS, RUNNERS].map((path) => client.json<Envelope<object>>(`${path}?page=1${query}`));
  return (await Promise.all(pages)).map(({ size, pageable, content }) => [size, pageable.offset, content.length]);
}

for (const [name, options, query, expected] of [
  ['is ignored', {}, '&size=100', 20],
  ['is honored', { size: 'honored' }, '&size=7', 7],
  ['is limited to the largest page', { size: 'honored', maxPageSize: 50 }, '&size=2000', 50],
  ['can be absent', { size: 'refused' }, '', 20],
] as const) {
  test(
    `size ${name}`,
    { timeout },
    simulated({ ...many, ...options }, async (client) => {
      assert.deepEqual(await pageSizes(client, query), Array(3).fill([expected, expected, expected]));
    })
  );
}

test(
  'size is refused with a message',
  { timeout },
  simulated({ ...many, size: 'refused' }, async (client) => {
    for (const path of [TASKS, AUTOMATIONS, RUNNERS]) {
      const response = await client.get(`${path}?size=20`);
      assert.equal(response.status, 400);
      assert.deepEqual(await response.json(), { message: 'Parameter size is unknown' });
    }
  })
);
