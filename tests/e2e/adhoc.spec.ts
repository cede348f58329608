import { dashboard, panel } from './support/dashboard';
import { column, expectNotice, nextFrame } from './support/query';
import { expect, test } from './support/test';
import { adHocVariable } from './support/variables';

test('an ad hoc filter suggests fields and values, filters every panel, and says where it does not apply', async ({
  source,
  openDashboard,
  page,
}) => {
  const panels = [
    panel(source, { queryType: 'tasks', columns: ['finishStatus'] }, { id: 1 }),
    panel(source, { queryType: 'tasks', format: 'numeric', measure: 'tasks', groupBy: ['finishStatus'] }, { id: 2 }),
    panel(source, { queryType: 'automations', columns: ['label'] }, { id: 3 }),
  ];
  const templating = { list: [adHocVariable(source, 'filter')] };
  const dashboardPage = await openDashboard(dashboard(panels, { templating }));
  await expect(dashboardPage.getPanelByTitle('Panel 2').data).toContainText(['SUCCESS']);
  const left = dashboardPage.getPanelByTitle('Panel 3');
  await expect(left.data).not.toHaveCount(0);

  const filters = [{ key: 'finishStatus', operator: '=' as const, value: 'FAILED' }];
  const answers = [
    nextFrame(dashboardPage, { columns: ['finishStatus'], filters }),
    nextFrame(dashboardPage, { format: 'numeric', filters }),
  ];
  await page.getByPlaceholder('Filter by label values').click();
  await page.keyboard.type('finish');
  await expect(page.getByRole('option', { name: 'Finish status · finishStatus', exact: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await page
    .getByRole('option')
    .filter({ hasText: /^=[A-Z]/ })
    .click();
  await page.getByRole('option', { name: 'FAILED', exact: true }).click();
  for (const answer of answers) {
    expect(new Set(column(await answer, 'finishStatus'))).toEqual(new Set(['FAILED']));
  }

  await expect(left.getErrorIcon()).toBeHidden();
  await page.keyboard.press('Escape');
  await expectNotice(page, left.locator, 'Not filtered by finishStatus: does not apply to Automations');
});
