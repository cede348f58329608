import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type DataSetName, dataSets } from '../../schema/datasets';
import { AUTOMATIONS, RUNNERS, TASKS } from '../../simulator/testing';
import { valuesOf } from '../../workbench/backend/frames';
import { dataSourceFor, frameOf, startPlugin } from './support/plugin';
import { frozen, Service } from './support/service';

const plugin = startPlugin();

describe('a table has the rows of a plain sequential client, in their order', () => {
  const lists: Record<DataSetName, [path: string, ...columns: string[]]> = {
    tasks: [`${TASKS}?days=30`, 'id', 'activityLabel', 'finishStatus', 'totalItems'],
    automations: [`${AUTOMATIONS}?filterBy=30`, 'label', 'machineId', 'taskCount', 'savings'],
    runners: [`${RUNNERS}?filterBy=30`, '_id', 'tasks', 'itemsErrorCount'],
  };

  // No rows, one page, one more than a page; a page that is not full.
  for (const count of [0, 20, 21, 399]) {
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
