import { type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';

import { type QueryParts } from '../../src/query/query';
import { dashboard, panel } from './support/dashboard';
import { expect, test as base } from './support/test';

const byAutomation: QueryParts = {
  queryType: 'automations',
  format: 'numeric',
  measure: 'taskCount',
  groupBy: ['label'],
};

interface Shared {
  /** A dashboard with a bar for each automation, and with a row for each. */
  uid: string;
  /** The lines of the bars: each automation's name and, below it, its number of tasks. */
  bars: string[];
}

/** The same world for all who look, each of whom reads it at another time. */
const test = base.extend<{ shared: Shared }>({
  shared: async ({ api, provisioned, simulator, createSource, createDashboard, page }, provide) => {
    await simulator.freeze();
    const { uid: source } = await createSource();
    const panels = [
      { ...panel(source, byAutomation, { id: 1, type: 'bargauge', title: 'Bars' }), options: horizontal },
      panel(source, byAutomation, { id: 2, title: 'Rows' }),
    ].map((made, index) => ({ ...made, gridPos: { x: 12 * index, y: 0, w: 12, h: 22 } }));
    const uid = await createDashboard(dashboard(panels));
    await page.goto(`/d/${uid}`);
    const bars = await linesOf(page, 'Bars');
    const names = [...(await api.automationNames(provisioned.uid, 7)).values()];
    expect(bars.filter((_, index) => index % 2 === 0).sort()).toEqual(names.sort());
    expect(names.length).toBeGreaterThan(10);
    expect(bars.filter((_, index) => index % 2 === 1).join()).toMatch(/^[\d,]+$/);
    await provide({ uid, bars });
  },
});

const horizontal = { orientation: 'horizontal', displayMode: 'basic', valueMode: 'text', namePlacement: 'top' };

/** The lines of a panel below its title, once it has some. */
async function linesOf(page: Page, title: string): Promise<string[]> {
  const shown = page.getByTestId(`data-testid Panel header ${title}`);
  await expect(shown.getByText(/^\d[\d,]*$/).first()).toBeVisible({ timeout: 60_000 });
  return (await shown.innerText()).trim().split('\n').slice(1);
}

// No code of the plugin runs in the browser of somebody who looks at a public dashboard.
test('a public dashboard shows each automation with its name and number', async ({
  shared,
  page,
  browser,
  baseURL,
}) => {
  const response = await page.request.post(`/api/dashboards/uid/${shared.uid}/public-dashboards`, {
    data: { isEnabled: true, share: 'public' },
  });
  const { accessToken } = await response.json();
  const context = await browser.newContext({
    baseURL,
    storageState: undefined,
    viewport: { width: 1280, height: 1000 },
  });
  const stranger = await context.newPage();
  await stranger.goto(`/public-dashboards/${accessToken}`);
  expect(await linesOf(stranger, 'Bars')).toEqual(shared.bars);
  await context.close();
});

test('a snapshot shows the same names and numbers', async ({ shared, page }) => {
  await page.getByRole('button', { name: 'Toggle share menu' }).click();
  await page.getByRole('menuitem', { name: /snapshot/ }).click();
  const published = page.waitForResponse((response) => response.url().endsWith('/api/snapshots'));
  await page.getByRole('button', { name: 'Publish snapshot' }).click();
  const { key, deleteKey } = await (await published).json();
  await page.goto(`/dashboard/snapshot/${key}`);
  expect(await linesOf(page, 'Bars')).toEqual(shared.bars);
  await page.request.get(`/api/snapshots-delete/${deleteKey}`);
});

test('a CSV file has the names of the columns, and the numbers of the rows', async ({
  shared,
  page,
  gotoDashboardPage,
}) => {
  const dashboardPage = await gotoDashboardPage({ uid: shared.uid });
  const rows = dashboardPage.getPanelByTitle('Rows');
  await expect(rows.data).not.toHaveCount(0);
  await rows.locator.hover();
  await rows.clickOnMenuItem('Data', { parentItem: 'Inspect' });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const [header, ...lines] = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split(/\r?\n/);
  expect(header.replace(/^\uFEFF/, '')).toBe('"Automation","Tasks"');
  const numbers = shared.bars.filter((_, index) => index % 2 === 1).map((text) => text.replace(/,/g, ''));
  expect(lines.map((line) => line.split(',').at(-1))).toEqual(numbers);
});
