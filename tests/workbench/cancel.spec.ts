import { expect, selectors, test } from './fixtures';

test('a new query cancels the previous one, of which nothing is shown', async ({ workbench, service }) => {
  await service.fault({ route: 'tasks', kind: 'delay', delayMs: 700 });
  await workbench.open('explore');
  await workbench.field(selectors.query.more).click();
  await workbench.field(selectors.query.days).fill('30');
  await workbench.field(selectors.query.days).press('Enter');
  const asked = async () => (await service.requests()).requests.filter(({ path }) => path.includes('days=30'));
  await expect.poll(async () => (await asked()).length).toBeGreaterThan(8);
  await expect(workbench.field('workbench-results')).toHaveAttribute('data-state', 'Loading');
  await expect(workbench.rows).toHaveCount(0);

  await workbench.chooseDataSet('Runners');
  await expect(workbench.rows).toContainText('5 rows');
  const cancelled = await asked();
  expect(cancelled.some(({ aborted }) => aborted)).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(await asked()).toEqual(cancelled);
});
