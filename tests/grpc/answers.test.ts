import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dataSets } from '../../schema/datasets';
import type { QueryParts } from '../../src/query/query';
import { judge } from '../../workbench/load/judge';
import {
  deadlinesMet,
  groups,
  historyMeasures,
  measures,
  type Promised,
  readAll,
  type Row,
  type TaskRow,
} from '../../workbench/reference';
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

  const busy = startService({ frozen, pageSize: 2_000, tasksPerDay: 400, historyDays: 60, runners: 3 });

  /** Three days until a moment that has passed, so that what runs then is known, and at which a task waits, at any time of day. */
  const spanOf = (tasks: TaskRow[]) => {
    const waited = tasks.filter(({ dateCreation: created, dateStartRunning: started }) => {
      const seconds = started === null ? 0 : (started - created) / 1000;
      return seconds > 60 && started! < Date.parse(frozen) - 3_600_000;
    });
    const to = Math.max(...waited.map(({ dateStartRunning: started }) => started! - 30_000));
    return { from: to - 3 * DAY, to };
  };

  // What isn't over counts until now, in seconds; times are in whole milliseconds.
  const tolerance: Record<string, number> = { recoveryTime: 60 };

  const deadlines: Promised[] = [
    { automation: 'bank-reconciliation', by: '02:00', timezone: 'America/Sao_Paulo', count: 3 },
    { automation: '*-*o', by: '14:30', count: 8 },
    { automation: 'stock-sync', by: '24:00' },
    { automation: 'order-tracking', within: '20m' },
  ];
  const decidedByOthers = { ...historyMeasures, deadlinesMet: deadlinesMet(deadlines) };

  for (const [measure, valueOf] of Object.entries(decidedByOthers)) {
    for (const field of [undefined, 'activityLabel', 'repositoryLabel'] as const) {
      test(`${measure} of ${field ?? 'all'}`, async () => {
        const all = (await readAll(busy.url, 'tasks', 30)) as unknown as TaskRow[];
        const span = spanOf(all);
        const query = { format: 'numeric', measure, groupBy: field ? [field] : [] };
        const result = await plugin.ask(dataSourceFor(busy.url, { deadlines }), query, span);
        assert.equal(result.error, undefined);
        const [{ schema, data }] = result.frames;
        const parts = groups(all, (task) => (field ? task[field] : undefined));
        assert.ok(schema.fields.length > (field ? 2 : 0));
        let values = 0;
        schema.fields.forEach(({ labels }, index) => {
          const wanted = valueOf(parts.get(field && (labels?.[field] as string))!, all, span);
          const got = data.values[index][0] as number | null;
          const near = tolerance[measure] ?? 1e-6 * Math.max(1, wanted ?? 0);
          const isNear = wanted === null ? got === null : got !== null && Math.abs(got - wanted) <= near;
          assert.ok(isNear, `${JSON.stringify(labels)}: ${got} instead of ${wanted}`);
          values += Number(wanted !== null && wanted > 0);
        });
        assert.ok(values > 0, 'nothing to compare');
      });
    }
  }
});
