import { expect, selectors, test } from './fixtures';

const words = /^Read \d+ of 20 pages$/;

test.beforeEach(async ({ workbench, service }) => {
  await service.fault({ route: 'tasks', kind: 'delay', delayMs: 700 });
  await workbench.open('explore');
});

test('rows appear while they are read, with the progress', async ({ workbench, service }) => {
  await workbench.field(selectors.query.more).click();
  await workbench.field(selectors.query.days).fill('30');
  await workbench.field(selectors.query.days).press('Enter');
  const notice = workbench.field('workbench-notice-of-frame').getByText(words);
  await expect(notice).toBeVisible();
  await expect(workbench.field('workbench-results')).toHaveAttribute('data-state', 'Loading');
  await expect(workbench.rows).toHaveText(/^(\d\d|[12]\d\d|3[0-8]0) rows/);
  await expect(workbench.column('Automation')).toBeVisible();
  await expect(workbench.rows).toContainText('399 rows', { timeout: 30_000 });
  await expect(notice).toHaveCount(0);
  await expect(workbench.field('workbench-results')).toHaveAttribute('data-state', 'Done');
  const paths = (await service.requests()).requests.map(({ path }) => path).filter((path) => path.includes('days=30'));
  expect(new Set(paths).size).toBe(paths.length);
});

test('a number is not shown before it is correct', async ({ workbench }) => {
  await workbench.showAs('Number');
  await workbench.field(selectors.query.more).click();
  await workbench.field(selectors.query.days).fill('29');
  await workbench.field(selectors.query.days).press('Enter');
  await expect(workbench.field('workbench-table').getByText(words)).toBeVisible();
  await expect(workbench.field('workbench-numbers')).toHaveCount(0);
  await expect(workbench.field('workbench-numbers')).toContainText(/3\d\d$/, { timeout: 20_000 });
});
