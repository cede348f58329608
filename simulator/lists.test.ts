import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fieldNames, getDataSet } from '../schema/datasets';
import type { Envelope } from './lists';
import type { TaskRecord } from './reports';
import { simulated, withSimulator } from './simulated';
import { AUTOMATIONS, RUNNERS, TASKS } from './testing';

simulated('a page has the complete envelope', { tasksTotal: 41 }, async (client) => {
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
});

simulated('records have the fields of the specification, in its order', {}, async (client) => {
  const [task] = (await client.tasks()).content;
  assert.deepEqual(Object.keys(task), fieldNames(getDataSet('tasks')));
  assert.match(task.dateCreation, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
  const [automation] = (await client.automations()).content;
  assert.deepEqual(Object.keys(automation), fieldNames(getDataSet('automations')));
  assert.match(automation.date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
  const [runner] = await client.runners();
  assert.deepEqual(Object.keys(runner), fieldNames(getDataSet('runners')));
});

simulated('decimals keep their point', { costs: 'zero' }, async (client) => {
  const text = await (await client.get(AUTOMATIONS)).text();
  assert.match(text, /"taskCount":\d+,"sumItems":\d+\.0,/);
  assert.match(text, /"roi":0\.0,"fte":0\.0,"savings":0\.0}/);
});

simulated('tasks are ordered newest first', {}, async (client) => {
  const dates = (await client.all<TaskRecord>(`${TASKS}?days=2`)).map((task) => task.dateCreation);
  assert.ok(dates.length > 20);
  assert.deepEqual(dates, [...dates].sort().reverse());
});

simulated('days and filterBy look back from now, no further than the history', { pageSize: 2_000 }, async (client) => {
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
});

simulated('lists sort by the fields of the specification', { automations: 20 }, async (client) => {
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
});

simulated('an invalid parameter is refused by name', {}, async (client) => {
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
});

simulated('search matches part of a label, ignoring case', { automations: 40 }, async (client) => {
  const found = (await client.automations('?automation=INVOICE')).content.map((row) => row.label);
  assert.deepEqual(found, ['invoice-intake', 'invoice-intake-2', 'invoice-intake-3']);
  assert.equal((await client.automations('?automation=none-such')).totalElements, 0);
  assert.deepEqual(
    (await client.runners('?runner=Runner-03')).map((row) => row._id),
    ['runner-03']
  );
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
    assert.equal(response.status, 400);
    assert.deepEqual(await response.json(), { message: 'Parameter size is unknown' });
  });
});
