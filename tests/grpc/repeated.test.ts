import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { DataSource } from '../../workbench/backend/wire';
import { dataSourceFor, frameOf, rowsOf, startPlugin } from './support/plugin';
import { frozen, startService, type Service } from './support/simulator';

const tasks = 2_000;
const all = { queryType: 'tasks', days: 30 };

/** A data source without a cache, so that each query reads from the service. */
const fresh = (service: Service, jsonData = {}) => dataSourceFor(service.url, { cacheTTL: 0, ...jsonData });

/** The number of rows that are reused from an earlier read, as the panel inspector shows it. */
const reused = (frame: ReturnType<typeof frameOf>) =>
  Number(/(\d+) of \d+ rows are reused/.exec(String(frame.schema.meta?.executedQueryString))?.[1] ?? 0);

describe('a repeated read', () => {
  const plugin = startPlugin();
  const service = startService({ frozen, tasksTotal: tasks, automations: 6, runners: 4 });
  beforeEach(() => service.reset());

  const read = async (dataSource: DataSource) => frameOf(await plugin.ask(dataSource, all));
  const requests = async () => {
    const { byRoute } = await service.requests();
    await service.reset();
    return byRoute.tasks ?? 0;
  };
  const change = (row: number, what: string) => service.post('tasks', { row, change: what });

  /** What a full read returns at this moment. */
  const whole = () => read(fresh(service, { incrementalQuerying: false }));

  test('requests what may have changed, and returns what a full read returns', async () => {
    const dataSource = fresh(service);
    await service.post('churn', { n: 8 });
    await change(1_500, 'stick');
    await read(dataSource);
    const steps: Array<() => Promise<unknown>> = [
      async () => undefined,
      () => service.post('churn', { n: 5 }),
      () => change(3, 'cancel'),
      () => change(1_505, 'cancel').then(() => service.post('churn', { n: 30 })),
      () => change(700, 'remove'),
      () => service.post('churn', { n: 1 }),
    ];
    for (const [index, step] of steps.entries()) {
      await step();
      await service.reset();
      const again = await read(dataSource);
      const cost = await requests();
      assert.deepEqual(again.data.values, (await whole()).data.values, `step ${index}`);
      assert.ok(cost <= 30, `step ${index}: ${cost} requests`);
      assert.ok(reused(again) >= 1_400, `step ${index}: ${reused(again)} rows reused`);
    }
  });
});

describe('a page size', () => {
  const plugin = startPlugin();
  const service = startService({ frozen, tasksTotal: tasks, automations: 6, runners: 4 });

  for (const { name, size, pageSize, first, again } of [
    { name: 'honored', size: { size: 'honored', max: 1000 }, pageSize: 500, first: 4, again: 4 },
    { name: 'bounded', size: { size: 'honored', max: 100 }, pageSize: 500, first: 20, again: 20 },
    { name: 'ignored', size: { size: 'ignored' }, pageSize: 500, first: 100, again: 100 },
    { name: 'refused', size: { size: 'refused' }, pageSize: 500, first: 101, again: 100 },
    { name: 'not requested', size: { size: 'refused' }, pageSize: 0, first: 100, again: 100 },
  ]) {
    test(name, async () => {
      await service.post('size', size);
      const dataSource = fresh(service, { pageSize, incrementalQuerying: false });
      for (const cost of [first, again]) {
        await service.reset();
        assert.equal(rowsOf(frameOf(await plugin.ask(dataSource, all))), tasks);
        assert.equal((await service.requests()).byRoute.tasks, cost);
      }
    });
  }
});
