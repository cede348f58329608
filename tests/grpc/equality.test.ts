import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dataSets } from '../../schema/datasets';
import { readAll } from '../../workbench/reference';
import { dataSourceFor, frameOf, namesOf, startPlugin } from './support/plugin';
import { frozen, Service } from './support/simulator';

// No rows, one row, one less and one more than a page; a page that is not full; many pages.
const counts = [0, 1, 19, 20, 21, 399, 5_000];

describe('the plugin returns the same rows as a plain sequential client', () => {
  const plugin = startPlugin();

  for (const count of counts) {
    describe(`${count} records`, () => {
      for (const runnersShape of ['array', 'envelope'] as const) {
        for (const dataSet of dataSets.filter(({ name }) => name === 'runners' || runnersShape === 'array')) {
          test(`${dataSet.name}${dataSet.name === 'runners' ? `, as ${runnersShape}` : ''}`, async () => {
            const service = new Service({
              ...{ frozen, runnersShape, tasksTotal: count, automations: count, runners: count, latency: 0 },
            });
            await service.start();
            try {
              const records = await readAll(service.url, dataSet.name);
              assert.equal(records.length, count);

              const frame = frameOf(
                await plugin.ask(dataSourceFor(service.url), { queryType: dataSet.name, days: 30 })
              );

              assert.deepEqual(
                namesOf(frame),
                dataSet.fields.map(({ name }) => name)
              );
              for (const [index, field] of dataSet.fields.entries()) {
                assert.deepEqual(
                  frame.data.values[index],
                  records.map((record) => record[field.name]),
                  field.name
                );
              }
            } finally {
              await service.close();
            }
          });
        }
      }
    });
  }
});
