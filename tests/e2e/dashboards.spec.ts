import { bundled } from './support/boards';
import { watchConsole } from './support/console';
import { expect, test } from './support/test';

// Grafana only renders and queries visible panels: a tall window shows all of them at once.
test.use({ viewport: { width: 1280, height: 3600 } });

test('there are bundled dashboards', () => {
  expect(bundled.length).toBeGreaterThan(0);
});

for (const { uid, title, panels } of bundled) {
  test(`${title} opens without an error`, async ({ gotoDashboardPage, page }) => {
    const problems = watchConsole(page);
    const failed: string[] = [];
    page.on('response', async (response) => {
      if (response.url().includes('/api/ds/query') && !response.ok()) {
        failed.push(`${response.status()} ${response.request().postData()}`);
      }
    });
    const dashboardPage = await gotoDashboardPage({ uid });
    await dashboardPage.waitForPanelsQueriesToComplete({ timeout: 60_000 });

    for (const panel of panels.filter(({ type }) => type !== 'row')) {
      const shown = dashboardPage.getPanelByTitle(panel.title);
      await expect(shown.locator, panel.title).toBeVisible();
      await expect(shown.getErrorIcon(), panel.title).toBeHidden();
      await expect(shown.locator.getByText('Error loading'), panel.title).toBeHidden();
    }
    expect(failed).toEqual([]);
    expect(problems()).toEqual([]);
  });
}

for (const { uid, title, panels } of bundled) {
  test(`${title} states no fact if the service returns errors`, async ({ createSource, gotoDashboardPage, page }) => {
    const source = await createSource({ secureJsonData: { key: 'not-the-key' } });
    const queryParams = new URLSearchParams({ 'var-datasource': source.uid });
    const dashboardPage = await gotoDashboardPage({ uid, queryParams });

    for (const panel of panels.filter(({ type }) => type !== 'row')) {
      const shown = dashboardPage.getPanelByTitle(panel.title);
      await expect(shown.getErrorIcon(), panel.title).toBeVisible({ timeout: 60_000 });
      await expect(shown.locator, panel.title).toContainText(/No answer|No rate|no answer/);
    }
    expect(await page.locator('body').innerText()).not.toMatch(/None (queued|runs)|Never|No tasks were/);
  });
}

test('selecting an automation changes the first screen, and keeps its name', async ({
  api,
  provisioned,
  gotoDashboardPage,
  page,
}) => {
  const names = await api.automationNames(provisioned.uid);
  const queryParams = new URLSearchParams({ from: 'now-30d', to: 'now' });
  const dashboardPage = await gotoDashboardPage({ uid: 'insights-automations', queryParams });
  const tasks = dashboardPage.getPanelByTitle('Tasks').locator;
  await dashboardPage.waitForPanelsQueriesToComplete({ timeout: 60_000 });
  const all = await tasks.innerText();

  const compared = dashboardPage.getPanelByTitle('Now and before').locator;
  await compared.getByRole('link').first().click();
  await expect(page).toHaveURL(/var-automation=(?!\$__all)/);
  const [, label] = /var-automation=([\w-]+)/.exec(page.url()) ?? [];
  await expect(tasks).not.toHaveText(all);
  await expect(page.getByText(`Automation: ${names.get(label)}`, { exact: true })).toBeVisible();
  await expect(compared.getByRole('link')).toHaveText([label]);
});

test('the first screen of today answers without scrolling', async ({ gotoDashboardPage, page }) => {
  await page.setViewportSize({ width: 1600, height: 1000 });
  const dashboardPage = await gotoDashboardPage({ uid: 'insights-operations' });
  for (const title of ['Queued now', 'Empty in', 'Running now', 'Needs attention', 'Tasks by status']) {
    await expect(dashboardPage.getPanelByTitle(title).locator, title).toBeInViewport({ ratio: 1 });
  }
  await expect(dashboardPage.getPanelByTitle('Timeline of runners').locator).toBeInViewport({ ratio: 0.95 });
});

test('no title is cut beside an open menu', async ({ gotoDashboardPage, page }) => {
  await page.addInitScript(() => {
    localStorage.setItem('grafana.navigation.docked', 'true');
    localStorage.setItem('grafana.navigation.open', 'true');
  });
  for (const { uid, title } of bundled) {
    await gotoDashboardPage({ uid });
    const titles = page.getByTestId(/^data-testid Panel header /).getByRole('heading');
    await expect(titles.first(), title).toBeVisible();
    // Not waitForPanelsQueriesToComplete, which never ends if Grafana cancels a query.
    await expect(page.getByLabel('Panel loading bar'), title).toHaveCount(0, { timeout: 60_000 });
    const cut = await titles.evaluateAll((all) =>
      all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(({ textContent }) => textContent)
    );
    expect(await titles.count(), title).toBeGreaterThan(0);
    expect(cut, title).toEqual([]);
  }
});

test('lines of totals, whose points cover whole days, offer to zoom to them from a shorter range', async ({
  gotoDashboardPage,
}) => {
  const queryParams = new URLSearchParams({ from: 'now-1h', to: 'now' });
  const dashboardPage = await gotoDashboardPage({ uid: 'insights-business-value', queryParams });
  for (const title of ['Savings over time', 'Savings by automation over time']) {
    await expect(dashboardPage.getPanelByTitle(title).locator).toContainText('Zoom to data');
  }
});

test('a number links to its rows', async ({ gotoDashboardPage, page }) => {
  const dashboardPage = await gotoDashboardPage({ uid: 'insights-operations' });
  await dashboardPage.waitForPanelsQueriesToComplete({ timeout: 60_000 });
  const failed = dashboardPage.getPanelByTitle('Failed').locator;
  await expect(failed).toContainText(/\d/);
  const count = /\d+/.exec(await failed.innerText())?.[0];

  const opened = page.waitForEvent('popup');
  await failed.getByRole('link').first().click();
  const rows = (await opened).getByTestId('data-testid Panel header Recent tasks');
  await expect(rows.getByText('FAILED', { exact: true }).first()).toBeVisible();
  await expect(rows.getByText('SUCCESS', { exact: true })).toHaveCount(0);
  await expect(rows.getByText('Count').locator('..')).toContainText(`${count}`);
});
