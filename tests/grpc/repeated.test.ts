import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { DataSource } from '../../workbench/backend/wire';
import { dataSourceFor, frameOf, noticesOf, rowsOf, startPlugin } from './support/plugin';
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

  test('serves rules and panels alike', async () => {
    const dataSource = fresh(service);
    await read(dataSource);
    await service.reset();
    assert.ok(reused(frameOf(await plugin.askAsRule(dataSource, all))) > 1_800);
    assert.ok((await requests()) <= 7);
    assert.ok(reused(await read(dataSource)) > 1_800);
    assert.ok((await requests()) <= 7);
  });

  test('is full if the settings say so', async () => {
    for (const settings of [{ incrementalQuerying: false }, { fullReadInterval: 0 }]) {
      const dataSource = fresh(service, settings);
      await read(dataSource);
      assert.equal(reused(await read(dataSource)), 0);
    }
  });

  test('returns what a full read returns if tasks are not newest first', async () => {
    for (const order of ['oldest', 'none']) {
      await service.post('task-order', { order });
      const dataSource = fresh(service);
      await read(dataSource);
      await service.post('churn', { n: 1 });
      assert.deepEqual((await read(dataSource)).data.values, (await whole()).data.values, order);
    }
    await service.post('task-order', { order: 'newest' });
  });

  test('corrects a task that changed after its end with a full read in the background', async () => {
    const dataSource = fresh(service, { fullReadInterval: 3 });
    await read(dataSource);
    await change(900, 'edit');
    const expected = (await whole()).data.values;
    const deadline = Date.now() + 60_000;
    while (!isDeepStrictEqual((await read(dataSource)).data.values, expected)) {
      assert.ok(Date.now() < deadline, 'the task is still as it was');
      await new Promise((done) => setTimeout(done, 500));
    }
    const corrected = await read(dataSource);
    assert.ok(reused(corrected) > 1_800, 'what does not change is still reused');
    assert.deepEqual(
      noticesOf(corrected).filter((notice) => /read|changed/.test(notice)),
      []
    );
  });

  test('leaves out what is older than a panel needs', async () => {
    const dataSource = fresh(service);
    const newest = frameOf(
      await plugin.ask(dataSource, { ...all, limit: 50, sort: { field: 'dateCreation', order: 'desc' } })
    );
    assert.ok((await requests()) <= 4);
    assert.equal(rowsOf(newest), 50);
    const expected = await whole();
    assert.deepEqual(newest.data.values[0], expected.data.values[0].slice(0, 50));
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
