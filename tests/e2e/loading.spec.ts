import { type Page } from '@playwright/test';

import { dashboard, panel, sourceRef } from './support/dashboard';
import { expect, test } from './support/test';

const days = 9;
const time = { from: `now-${days}d`, to: 'now' };
const words = /^Read \d+ of \d+ pages$/;
const table = { columns: ['id', 'state', 'activityLabel'] };
const line = { format: 'timeseries', measure: 'tasks' } as const;
const number = { format: 'numeric', measure: 'tasks' } as const;

const panelOf = (page: Page, title: string) => page.getByTestId(`data-testid Panel header ${title}`);

// Pages of 20, as from a service that ignores the size, which arrive after 400 ms.
test.beforeEach(async ({ simulator }) => {
  await simulator.freeze();
  await simulator.setFault({ route: 'tasks', kind: 'delay', delayMs: 400 });
});

test('panels show the progress of a read, and the rows so far', async ({
  simulator,
  createSource,
  createDashboard,
  gotoDashboardPage,
  page,
}) => {
  const { uid: source } = await createSource({ jsonData: { pageSize: 0 } });
  const uid = await createDashboard(
    dashboard(
      [
        panel(source, table, { id: 1, title: 'Rows' }),
        panel(source, line, { id: 2, title: 'Line', type: 'timeseries' }),
        panel(source, number, { id: 3, title: 'Number', type: 'stat' }),
      ],
      { time }
    )
  );
  await gotoDashboardPage({ uid });

  for (const title of ['Rows', 'Line', 'Number']) {
    await expect(panelOf(page, title).getByText(words)).toBeVisible();
  }
  const rows = panelOf(page, 'Rows');
  await expect(rows.getByRole('columnheader', { name: 'Automation', exact: true })).toBeVisible();
  const first = await rows.getByRole('gridcell').first().innerText();
  expect(Number(first)).toBeGreaterThan(0);
  await expect(panelOf(page, 'Number')).not.toContainText(/\d{4}/);

  // A finished query shows no progress, and the newest task is still the first.
  await expect(page.getByText(words)).toHaveCount(0, { timeout: 60_000 });
  await expect(panelOf(page, 'Number').getByText(/\d{3}/).first()).toBeVisible();
  await expect(rows.getByRole('gridcell').first()).toHaveText(first);
  const asked = (await simulator.requests(days)).map(({ path }) => path);
  expect(asked.length).toBeGreaterThan(50);
  expect(new Set(asked).size, 'each page was requested once').toBe(asked.length);
});

test('the inspector offers no partial data to download', async ({
  createSource,
  createDashboard,
  gotoDashboardPage,
  page,
}) => {
  const { uid: source } = await createSource({ jsonData: { pageSize: 0 } });
  const uid = await createDashboard(dashboard([panel(source, table, { title: 'Rows' })], { time }));
  const dashboardPage = await gotoDashboardPage({ uid });
  const shown = dashboardPage.getPanelByTitle('Rows');
  await expect(shown.locator.getByText(words)).toBeVisible();
  await shown.locator.hover();
  await shown.clickOnMenuItem('Data', { parentItem: 'Inspect' });
  const inspector = page.getByRole('dialog');
  await expect(inspector.getByText('Loading')).toBeVisible();
  const download = page.getByRole('button', { name: 'Download CSV' });
  await expect(download).toHaveCount(0);
  await expect(shown.locator.getByText(words)).toBeVisible();
  await expect(download).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(words)).toHaveCount(0);
});

test('a dashboard that is about to become a snapshot shows no partial data', async ({
  createSource,
  createDashboard,
  page,
}) => {
  const { uid: source } = await createSource({ jsonData: { pageSize: 0 } });
  const uid = await createDashboard(dashboard([panel(source, table, { title: 'Rows' })], { time }));
  await page.goto(`/d/${uid}`);
  await expect(panelOf(page, 'Rows').getByText(words)).toBeVisible();
  await page.getByTestId('data-testid new share button arrow menu').click();
  await page.getByText('Share snapshot').click();
  await expect(page).toHaveURL(/shareView=snapshot/);
  await expect(page.getByText(words)).toHaveCount(0);
  await expect(panelOf(page, 'Rows').getByRole('gridcell')).toHaveCount(0);
});

test('Explore shows the progress in the name of the table', async ({ createSource, page }) => {
  const { uid } = await createSource({ jsonData: { pageSize: 0 } });
  const pane = {
    datasource: uid,
    queries: [{ refId: 'A', datasource: sourceRef(uid), queryType: 'tasks' }],
    range: time,
  };
  await page.goto(`/explore?schemaVersion=1&orgId=1&panes=${encodeURIComponent(JSON.stringify({ a: pane }))}`);
  await expect(page.getByText(/^Table - Read \d+ of \d+ pages$/)).toBeVisible();
  await expect(page.getByText('Table - tasks')).toBeVisible({ timeout: 60_000 });
});
