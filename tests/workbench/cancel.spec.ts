import { expect, selectors, test } from './fixtures';

test('a new query cancels the previous one, of which nothing is shown', async ({ workbench, running, service }) => {
  // 20 pages, two at a time: the read takes 20 seconds, however slow this machine is.
  const jsonData = { login: 'demo', maxConcurrentRequests: 2 };
  running.store.save({ url: service.url, jsonData, secureJsonData: { key: 'demo-key' } });
  await service.fault({ route: 'tasks', kind: 'delay', delayMs: 2_000 });
  await workbench.open('explore');
  await workbench.field(selectors.query.more).click();
  await workbench.field(selectors.query.days).fill('30');
  await workbench.field(selectors.query.days).press('Enter');
  const asked = async () => (await service.requests()).requests.filter(({ path }) => path.includes('days=30'));
  await expect.poll(async () => (await asked()).length).toBeGreaterThan(2);
  await expect(workbench.field('workbench-results')).toHaveAttribute('data-state', 'Loading');
  await expect(workbench.rows).toHaveCount(0);

  await workbench.chooseDataSet('Runners');
  await expect(workbench.rows).toContainText('5 rows');
  await expect.poll(async () => (await asked()).some(({ aborted }) => aborted)).toBe(true);
  const cancelled = await asked();
  expect(cancelled.length).toBeLessThan(20);
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  expect(await asked()).toHaveLength(cancelled.length);
});
