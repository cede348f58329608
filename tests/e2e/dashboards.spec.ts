import { bundled, openPanels } from './support/boards';
import { watchConsole } from './support/console';
import { expect, test } from './support/test';

// Grafana only renders and queries visible panels: a tall window shows all of them at once.
test.use({ viewport: { width: 1280, height: 3600 } });

for (const dashboard of bundled) {
  const { uid, title } = dashboard;

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

    for (const panel of openPanels(dashboard)) {
      const shown = dashboardPage.getPanelById(`${panel.id}`);
      await expect(shown.locator, panel.title).toBeVisible();
      await expect(shown.getErrorIcon(), panel.title).toBeHidden();
      await expect(shown.locator.getByText('Error loading'), panel.title).toBeHidden();
    }
    expect(failed).toEqual([]);
    expect(problems()).toEqual([]);
  });

  test(`${title} states no fact if the service returns errors`, async ({ createSource, gotoDashboardPage, page }) => {
    const source = await createSource({ secureJsonData: { key: 'not-the-key' } });
    const queryParams = new URLSearchParams({ 'var-datasource': source.uid, 'var-workspaces': source.uid });
    const dashboardPage = await gotoDashboardPage({ uid, queryParams });

    for (const panel of openPanels(dashboard)) {
      const shown = dashboardPage.getPanelById(`${panel.id}`);
      await expect(shown.getErrorIcon(), panel.title).toBeVisible({ timeout: 60_000 });
      await expect(shown.locator, panel.title).toContainText(/No result|no answer|–$/i);
    }
    expect(await page.locator('body').innerText()).not.toMatch(
      /None (queued|runs)|Never|No tasks were|Nothing needs attention/
    );
  });

  test(`the controls of ${title} take at most a third of the first screen of a phone`, async ({
    gotoDashboardPage,
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await gotoDashboardPage({ uid });
    const controls = page.getByTestId('data-testid dashboard controls');
    await expect(controls).toBeVisible();
    expect((await controls.boundingBox())!.height).toBeLessThan(844 / 3);
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

  const compared = dashboardPage.getPanelByTitle('Automations, lowest success rate first (± vs previous week)').locator;
  await compared.getByRole('link').first().click();
  await expect(page).toHaveURL(/var-automation=(?!\$__all)/);
  const [, label] = /var-automation=([\w-]+)/.exec(page.url()) ?? [];
  await expect(tasks).not.toHaveText(all);
  await expect(page.getByText(`Automation: ${names.get(label)}`, { exact: true })).toBeVisible();
  await expect(compared.getByRole('link')).toHaveText([label, 'Total']);
});

test.describe('at 1280 pixels, beside an open menu', () => {
  test.beforeEach(({ page }) =>
    page.addInitScript(() => {
      localStorage.setItem('grafana.navigation.docked', 'true');
      localStorage.setItem('grafana.navigation.open', 'true');
    })
  );

  test('the first screen of today answers without scrolling', async ({ gotoDashboardPage, page }) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    const dashboardPage = await gotoDashboardPage({ uid: 'insights-operations' });
    for (const id of [40, 4, 5, 6, 8, 46]) {
      await expect(dashboardPage.getPanelById(`${id}`).locator, `${id}`).toBeInViewport({ ratio: 1 });
    }
    // The timeline begins there, and so does what is due and waits.
    await expect(dashboardPage.getPanelById('41').locator).toBeInViewport({ ratio: 0.6 });
    const work = dashboardPage.getPanelById('49').locator.getByRole('row');
    await expect(work.nth(2).getByRole('gridcell').first()).toBeInViewport({ ratio: 1 });
    // There is room for ten robots, each in one line.
    const robots = dashboardPage.getPanelById('46').locator;
    await expect(async () => {
      // The last runner needs no attention.
      const parts = [robots, robots.getByRole('columnheader').last(), robots.getByRole('gridcell').last()];
      const [panel, above, row] = await Promise.all(parts.map(async (one) => (await one.boundingBox())!.height));
      expect(panel - 50 - above).toBeGreaterThanOrEqual(10 * row);
    }).toPass();
  });

  for (const { uid, title } of bundled) {
    test(`no title of ${title} is cut, and no reason`, async ({ gotoDashboardPage, page }) => {
      await gotoDashboardPage({ uid });
      const titles = page.getByTestId(/^data-testid Panel header /).getByRole('heading');
      await expect(titles.first()).toBeVisible();
      // Not waitForPanelsQueriesToComplete, which never ends if Grafana cancels a query.
      await expect(page.getByLabel('Panel loading bar')).toHaveCount(0, { timeout: 60_000 });
      for (const texts of [
        titles,
        page.getByRole('gridcell').filter({ hasText: /in a row|usual|no new task|waiting/ }),
      ]) {
        const cut = await texts.evaluateAll((all) =>
          all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map((one) => one.textContent)
        );
        expect(cut).toEqual([]);
      }
    });
  }
});

test('lines of totals, whose points cover whole days, offer to zoom to them from a shorter range', async ({
  gotoDashboardPage,
}) => {
  const queryParams = new URLSearchParams({ from: 'now-1h', to: 'now' });
  const dashboardPage = await gotoDashboardPage({ uid: 'insights-business-value', queryParams });
  await expect(dashboardPage.getPanelByTitle('Savings per day back from now').locator).toContainText('Zoom to data');
});
