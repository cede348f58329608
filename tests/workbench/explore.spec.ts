import { expect, selectors, test } from './fixtures';

const { query } = selectors;

test.beforeEach(({ workbench }) => workbench.open('explore'));

for (const [label, rows, columns] of [
  ['Tasks', 399, ['Task ID', 'State', 'Automation']],
  ['Automations', 21, ['Automation', 'Automation name', 'Runner']],
  ['Runners', 5, ['Runner', 'Tasks', 'Utilization']],
] as const) {
  test(`${label}: the rows of all pages as a table`, async ({ workbench }) => {
    await workbench.chooseDataSet(label);
    await workbench.field(query.more).click();
    await workbench.field(query.days).fill('30');
    await workbench.field(query.days).press('Enter');
    await expect(workbench.rows).toContainText(`${rows} rows`);
    for (const column of columns) {
      await expect(workbench.column(column)).toBeVisible();
    }
  });
}

test('a time range determines which tasks are shown', async ({ workbench, page }) => {
  await expect(workbench.rows).toContainText('rows');
  const week = parseInt(await workbench.rows.innerText(), 10);
  await page.getByRole('button', { name: /last 7 days/i }).click();
  await page.getByText('Last 2 days', { exact: true }).click();
  await expect(async () => {
    expect(parseInt(await workbench.rows.innerText(), 10)).toBeLessThan(week);
  }).toPass();
});

test('an error is shown as its message', async ({ workbench, service }) => {
  await expect(workbench.rows).toContainText('rows');
  await service.fault({ route: 'runner', kind: 'status', status: 404, body: { message: 'No such route' } });
  await workbench.chooseDataSet('Runners');
  await expect(workbench.field('workbench-error')).toContainText('No such route');
  await expect(workbench.field('workbench-error')).toContainText('runnersPath');
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
