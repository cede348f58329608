import { type DataSetName } from '../../schema/datasets';
import { dashboard, panel } from './support/dashboard';
import { expect, test } from './support/test';

test('an invalid query reports the wrong value and what is allowed', async ({ provisioned, editPanel, page }) => {
  // A provisioning file can contain what the editor never saves.
  const panelEditPage = await editPanel(dashboard([panel(provisioned.uid, { queryType: 'jobs' as DataSetName })]));

  await expect(panelEditPage.panel.getErrorIcon()).toBeVisible();
  await expect(panelEditPage.getQueryEditorRow('A')).toContainText(
    'unknown data set (queryType) "jobs": use one of tasks'
  );
  await expectNoStack(await page.locator('body').innerText());
});

test('a refusal of the service is shown in the panel, with what to check', async ({
  createSource,
  openDashboard,
  page,
}) => {
  const { uid: sourceUid } = await createSource({ secureJsonData: { key: 'not-the-key' } });
  const dashboardPage = await openDashboard(dashboard([panel(sourceUid, { queryType: 'tasks' })]));
  const error = dashboardPage.getPanelByTitle('Panel 1').getErrorIcon();

  await expect(error).toBeVisible();
  await error.hover();
  await expect(page.getByRole('tooltip')).toContainText(/check the login and key/i);
  await expectNoStack(await page.locator('body').innerText());
});

function expectNoStack(text: string) {
  expect(text).not.toMatch(/goroutine \d|panic:|\.go:\d+|runtime error/);
}
