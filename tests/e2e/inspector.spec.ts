import { dashboard, panel } from './support/dashboard';
import { expect, test } from './support/test';

test.describe("the information about a panel's query", () => {
  test('the inspector shows stats and the executed query, without a secret', async ({
    source,
    openDashboard,
    page,
  }) => {
    const dashboardPage = await openDashboard(dashboard([panel(source, { queryType: 'automations' })]));
    const shown = dashboardPage.getPanelByTitle('Panel 1');
    await expect(shown.data).not.toHaveCount(0);
    await shown.locator.hover();
    await shown.clickOnMenuItem('Query', { parentItem: 'Inspect' });

    const inspector = page.getByRole('dialog');
    await inspector.getByRole('button', { name: 'Refresh' }).click();
    const executed = inspector.getByText(/GET http.*\/api\/v1\/insights\/automation\?filterBy=7/).first();
    await expect(executed).toBeVisible();
    await expect(inspector).not.toContainText(/demo-key|accessToken/);

    await inspector.getByRole('tab', { name: 'Stats' }).click();
    for (const stat of ['Pages read', 'Rows read', 'Requests to the service', 'Bytes received', 'Time to read']) {
      await expect(inspector.getByText(stat, { exact: true })).toBeVisible();
    }
  });
});
