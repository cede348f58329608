import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type DataSetName, dataSets } from '../../schema/datasets';
import { AUTOMATIONS, RUNNERS, TASKS } from '../../simulator/testing';
import { tasksPage, text, withHostile } from './support/hostile';
import { dataSourceFor, frameOf, startPlugin, valuesOf } from './support/plugin';
import { frozen, Service } from './support/service';

const [minute, hour] = [60_000, 3_600_000];
const plugin = startPlugin();

describe('a table has the rows of a plain sequential client, in their order', () => {
  const lists: Record<DataSetName, [path: string, ...columns: string[]]> = {
    tasks: [`${TASKS}?days=30`, 'id', 'activityLabel', 'finishStatus', 'totalItems'],
    automations: [`${AUTOMATIONS}?filterBy=30`, 'label', 'machineId', 'taskCount', 'savings'],
    runners: [`${RUNNERS}?filterBy=30`, '_id', 'tasks', 'itemsErrorCount'],
  };

  // No rows, one row, one less and one more than a page; a page that is not full.
  for (const count of [0, 1, 19, 20, 21, 399]) {
    for (const runnersShape of ['array', 'envelope'] as const) {
      for (const { name } of dataSets.filter(({ name }) => name === 'runners' || runnersShape === 'array')) {
        test(`${count} ${name}${name === 'runners' ? `, as ${runnersShape}` : ''}`, async () => {
          const counts = { tasksTotal: count, automations: count, runners: count };
          const service = new Service({ frozen, runnersShape, ...counts });
          await service.start();
          try {
            const { client } = service;
            await client.login();
            const [path, ...columns] = lists[name];
            const isArray = name === 'runners' && runnersShape === 'array';
            const rows = await (isArray ? client.json<object[]>(path) : client.all<object>(path));
            assert.equal(rows.length, count);
            const frame = frameOf(await plugin.ask(dataSourceFor(service.url), { queryType: name, days: 30 }));
            for (const column of columns) {
              const listed = rows.map((row) => (row as Record<string, unknown>)[column]);
              assert.deepEqual(valuesOf(frame, column), listed, column);
            }
          } finally {
            await service.close();
          }
        });
      }
    }
  }
});

describe('measures of tasks', () => {
  const now = Date.now();
  const ago = (minutes?: number) => (minutes === undefined ? null : new Date(now - minutes * minute).toISOString());

  /** A task; times are in minutes before now, items are processed and failed ones. */
  interface Task {
    of: string;
    created: number;
    started?: number;
    ended?: number;
    state?: string;
    status?: string;
    items?: [processed: number | null, failed: number | null];
  }

  const tasks: Task[] = [
    { of: 'a', created: 600, started: 590, ended: 560, status: 'SUCCESS', items: [8, 2] },
    { of: 'a', created: 480, started: 480, ended: 470, status: 'PARTIALLY_COMPLETED', items: [6, 4] },
    { of: 'a', created: 360, started: 355, ended: 335, status: 'FAILED', items: [0, 5] },
    { of: 'a', created: 240, started: 235, ended: 215, state: 'TIMEOUT' },
    { of: 'a', created: 120, ended: 110, state: 'CANCELED' },
    { of: 'a', created: 60, started: 50, state: 'RUNNING' },
    { of: 'b', created: 300, started: 299, ended: 297, status: 'SUCCESS', items: [1, 0] },
    { of: 'b', created: 30, state: 'START' },
  ];
  const page = tasksPage(
    tasks.map(
      ({ of, created, started, ended, state = 'FINISHED', status, items: [processed, failed] = [null, null] }) => ({
        ...{ activityLabel: of, state, finishStatus: status ?? null, machineId: started ? `runner of ${of}` : null },
        ...{ dateCreation: ago(created)!, dateStartRunning: ago(started), dateLastModified: ago(ended) },
        ...{ processedItems: processed, failedItems: failed },
        totalItems: processed === null ? null : processed + failed!,
      })
    )
  );
  const range = { from: now - 12 * hour, to: now };
  const deadlines = [{ automation: 'a', within: '45m' }];
  const ask = (...queries: object[]) =>
    withHostile({ tasks: (response) => text(response, page) }, (url) =>
      plugin.askAll(
        dataSourceFor(url, { deadlines }),
        queries.map((query) => ({ groupBy: ['activityLabel'], ...query })),
        range
      )
    );

  /** What some are of a and of b, computed by hand. The others are in pkg/frame/testdata/measures.test. */
  const expected: Record<string, [number | null, number | null]> = {
    tasks: [6, 2],
    failedTasks: [2, 0],
    successRate: [1 / 4, 1],
    itemSuccessRate: [14 / 25, 1],
    duration: [1200, 120],
    queueTimeP95: [600, 60],
    oldestQueued: [null, 1800],
    failuresInARow: [2, 0],
    gapMax: [7200, null],
    deadlinesMet: [1 / 5, null],
    queued: [1, 1],
    busyRunners: [7800 / 43_200, 120 / 43_200],
    recoveryTime: [20_100, null],
    queuedWork: [null, null], // Too few tasks to know how long one takes.
  };

  test('are what follows from eight tasks', async () => {
    const results = await ask(...Object.keys(expected).map((measure) => ({ format: 'numeric', measure })));
    const late = (Date.now() - now) / 1000;
    const wrong = Object.entries(expected).flatMap(([name, wanted], index) => {
      const { schema, data } = frameOf(results[index]);
      const got = new Map(schema.fields.map(({ labels }, at) => [labels!.activityLabel, data.values[at][0]]));
      const numbers = ['a', 'b'].map((label) => (got.get(label) ?? null) as number | null);
      // What goes on has gone on until the backend was asked.
      const isNear = (is: number | null, value: number | null) =>
        is === null || value === null ? is === value : is > value - 1e-6 && is < value + late + 1e-6;
      return numbers.every((is, at) => isNear(is, wanted[at])) ? [] : [`${name}: ${numbers} instead of ${wanted}`];
    });
    assert.deepEqual(wrong, []);
  });

  test('a line has them by the hour of their creation', async () => {
    const [result] = await ask({ format: 'timeseries', measure: 'tasks', groupBy: [] });
    const { values } = frameOf(result).data;
    const hourOf = (at: number) => Math.floor(at / hour) * hour;
    const created = tasks.map((task) => hourOf(now - task.created * minute));
    assert.equal(values[0].length, (hourOf(range.to) - hourOf(range.from)) / hour + 1);
    const [oldest] = created; // Of the time before it, nothing is known.
    const wanted = (values[0] as number[]).map((start) =>
      start < oldest ? null : created.filter((of) => of === start).length
    );
    assert.deepEqual(values[1], wanted);
  });
});
