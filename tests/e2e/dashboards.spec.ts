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

  await dashboardPage.getPanelByTitle('All automations, until now').locator.getByRole('link').first().click();
  await expect(page).toHaveURL(/var-automation=(?!\$__all)/);
  const [, label] = /var-automation=([\w-]+)/.exec(page.url()) ?? [];
  const name = names.get(label);
  await expect(tasks).not.toHaveText(all);
  const bars = dashboardPage.getPanelByTitle('Tasks by automation').locator;
  await expect(bars.getByText(name ?? '', { exact: true })).toBeVisible();
  await expect(bars.getByRole('link')).toHaveCount(1);
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
