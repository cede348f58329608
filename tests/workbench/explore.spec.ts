import { expect, selectors, test } from './fixtures';

const { query } = selectors;

test.beforeEach(({ workbench }) => workbench.open('explore'));

test('the rows of all pages, within a time range, as a table', async ({ workbench, page }) => {
  await expect(workbench.rows).toContainText('rows');
  const week = parseInt(await workbench.rows.innerText(), 10);
  await page.getByRole('button', { name: /last 7 days/i }).click();
  await page.getByText('Last 2 days', { exact: true }).click();
  await expect(async () => {
    expect(parseInt(await workbench.rows.innerText(), 10)).toBeLessThan(week);
  }).toPass();
  await workbench.field(query.more).click();
  await workbench.field(query.days).fill('30');
  await workbench.field(query.days).press('Enter');
  await expect(workbench.rows).toContainText('399 rows');
  await expect(workbench.column('Task ID')).toBeVisible();
});

test('Number: one row per group, with the measure', async ({ workbench }) => {
  await workbench.chooseDataSet('Automations');
  await workbench.showAs('Number');
  await workbench.choose(query.measure, 'successRate');
  await expect(workbench.column('Success rate')).toBeVisible();
  await expect(workbench.field('workbench-table')).toContainText('%');
  await expect(workbench.field('workbench-graph')).toBeHidden();
});

test('Line: a graph with its legend', async ({ workbench }) => {
  await workbench.showAs('Time series');
  await workbench.choose(query.groupBy, 'state');
  await workbench.page.keyboard.press('Escape');
  const graph = workbench.field('workbench-graph');
  await expect(graph.locator('canvas').first()).toBeVisible();
  await expect(graph).toContainText('FINISHED');
  await expect(workbench.column('FINISHED')).toBeVisible();
});

test('a notice of the frame is shown, with the response itself', async ({ workbench, service }) => {
  await expect(workbench.rows).toContainText('rows');
  await service.fault({ route: 'runner', kind: 'status', status: 200, body: [{ _id: 'runner-01', tasks: 'many' }] });
  await workbench.chooseDataSet('Runners');
  await expect(workbench.field('workbench-notice-of-frame').first()).toBeVisible();
  await workbench.field('workbench-response').getByText('Response').click();
  for (const part of ['Pages read', '/api/v1/insights/runner?filterBy=7', '"utilizationRate"']) {
    await expect(workbench.field('workbench-response')).toContainText(part);
  }
});

test("page and plugin use the project's version of React", async ({ workbench, react }) => {
  const versions = await workbench.page.evaluate(async () => {
    const { System } = window as unknown as { System: { import(name: string): Promise<{ version: string }> } };
    return [await System.import('react'), await System.import('react-dom')].map(({ version }) => version.split('.')[0]);
  });
  expect(versions).toEqual([`${react}`, `${react}`]);
});
