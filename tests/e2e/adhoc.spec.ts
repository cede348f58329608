import { type Page } from '@playwright/test';

import { dashboard, panel } from './support/dashboard';
import { column, expectNotice, nextFrame } from './support/query';
import { expect, test } from './support/test';
import { adHocVariable } from './support/variables';

async function startFilter(page: Page, field: string, operator: string) {
  const input = page.getByPlaceholder('Filter by label values');
  await input.click();
  await input.fill(field);
  await page.getByRole('option', { name: new RegExp(` · ${field}$`) }).click();
  // Only the first operators of the list are rendered.
  await page.keyboard.type(operator);
  await page
    .getByRole('option')
    .filter({ hasText: new RegExp(`^${operator}[A-Z]`) })
    .click();
}

test.describe('an ad-hoc filter', () => {
  test('suggests fields and values, and filters every panel', async ({ source, openDashboard, page }) => {
    const panels = [
      panel(source, { queryType: 'tasks', columns: ['finishStatus'] }, { id: 1 }),
      panel(source, { queryType: 'tasks', format: 'numeric', measure: 'tasks', groupBy: ['finishStatus'] }, { id: 2 }),
    ];
    const templating = { list: [adHocVariable(source, 'filter')] };
    const dashboardPage = await openDashboard(dashboard(panels, { templating }));
    await expect(dashboardPage.getPanelByTitle('Panel 2').data).toContainText(['SUCCESS']);

    const filters = [{ key: 'finishStatus', operator: '=' as const, value: 'FAILED' }];
    const answers = [
      nextFrame(dashboardPage, { columns: ['finishStatus'], filters }),
      nextFrame(dashboardPage, { format: 'numeric', filters }),
    ];
    await startFilter(page, 'finishStatus', '=');
    await page.getByRole('option', { name: 'FAILED', exact: true }).click();
    for (const answer of answers) {
      expect(new Set(column(await answer, 'finishStatus'))).toEqual(new Set(['FAILED']));
    }
  });

  test('uses the field that begins with the typed text, and says where it does not apply', async ({
    source,
    openDashboard,
    page,
  }) => {
    const panels = [
      panel(source, { queryType: 'tasks', columns: ['finishStatus'] }, { id: 1 }),
      panel(source, { queryType: 'automations', columns: ['label'] }, { id: 2 }),
    ];
    const templating = { list: [adHocVariable(source, 'filter')] };
    const dashboardPage = await openDashboard(dashboard(panels, { templating }));
    await expect(dashboardPage.getPanelByTitle('Panel 2').data).not.toHaveCount(0);

    const filters = [{ key: 'finishStatus', operator: '=' as const, value: 'FAILED' }];
    const answer = nextFrame(dashboardPage, { columns: ['finishStatus'], filters });
    const input = page.getByPlaceholder('Filter by label values');
    await input.click();
    await page.keyboard.type('finish');
    await expect(page.getByRole('option', { name: 'Finish status · finishStatus', exact: true })).toBeVisible();
    await page.keyboard.press('Enter');
    await page
      .getByRole('option')
      .filter({ hasText: /^=[A-Z]/ })
      .click();
    await page.getByRole('option', { name: 'FAILED', exact: true }).click();
    expect(new Set(column(await answer, 'finishStatus'))).toEqual(new Set(['FAILED']));

    const left = dashboardPage.getPanelByTitle('Panel 2');
    await expect(left.getErrorIcon()).toBeHidden();
    await page.keyboard.press('Escape');
    await expectNotice(page, left.locator, 'Not filtered by finishStatus: does not apply to Automations');
  });
});
