import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dataSets } from '../../schema/datasets';
import type { QueryParts } from '../../src/query';
import { judge } from '../../workbench/load/judge';
import { measures, readAll, type Row } from '../../workbench/reference';
import { dataSourceFor, startPlugin } from './support/plugin';
import { frozen, Service, startService } from './support/service';

const DAY = 86_400_000;

describe('the answer is what the reference makes of the rows of a plain sequential client', () => {
  const plugin = startPlugin();

  const expectExact = async (url: string, query: QueryParts, rows: Row[]) => {
    const to = Date.parse(frozen);
    const range = { from: to - 20 * DAY, to };
    const [result] = await plugin.askAll(dataSourceFor(url), [{ ...query }], range);
    const asked = { query, ...range, intervalMs: 3_600_000 };
    assert.deepEqual(judge(asked, result, [{ from: 0, rows: () => rows }], []), { outcome: 'exact' });
  };

  // No rows, one row, one less and one more than a page; a page that is not full; many pages.
  for (const count of [0, 1, 19, 20, 21, 399, 5_000]) {
    for (const runnersShape of ['array', 'envelope'] as const) {
      for (const { name } of dataSets.filter(({ name }) => name === 'runners' || runnersShape === 'array')) {
        test(`${count} ${name}${name === 'runners' ? `, as ${runnersShape}` : ''}`, async () => {
          const service = new Service({
            ...{ frozen, runnersShape, tasksTotal: count, automations: count, runners: count },
          });
          await service.start();
          try {
            const rows = await readAll(service.url, name);
            assert.equal(rows.length, count);
            await expectExact(service.url, { queryType: name, days: 30 }, rows);
          } finally {
            await service.close();
          }
        });
      }
    }
  }

  const service = startService({ frozen, pageSize: 2_000, tasksTotal: 1_000, automations: 8, runners: 4 });
  for (const measure of Object.keys(measures)) {
    for (const format of ['numeric', 'timeseries'] as const) {
      test(`${measure} of each automation, ${format}`, async () => {
        const query: QueryParts = { queryType: 'tasks', format, measure, groupBy: ['activityLabel'] };
        await expectExact(service.url, query, await readAll(service.url, 'tasks'));
      });
    }
  }
});
