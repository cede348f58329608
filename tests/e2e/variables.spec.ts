import { dashboard, panel } from './support/dashboard';
import { column, nextFrame } from './support/query';
import { expect, test } from './support/test';
import { chooseValues, variable, variableInput } from './support/variables';

test('variables can be chained, and support multiple values and All', async ({ source, openDashboard, page }) => {
  const dashboardPage = await openDashboard(
    dashboard([panel(source, { queryType: 'automations', search: '$automation', columns: ['label', 'taskCount'] })], {
      templating: {
        list: [
          variable(source, 'repository', { queryType: 'automations', field: 'repositoryLabel' }),
          variable(source, 'automation', {
            queryType: 'automations',
            field: 'label',
            filters: [{ key: 'repositoryLabel', operator: '=', value: '$repository' }],
          }),
        ],
      },
    })
  );
  const shown = dashboardPage.getPanelByTitle('Panel 1');
  await expect(shown.data).not.toHaveCount(0);

  // Chained: the automations of one repository.
  await chooseValues(page, 'repository', ['legal']);
  await variableInput(page, 'automation').click();
  await expect(page.getByRole('option')).toHaveText(['All', 'Certidões negativas', 'Contract renewals']);
  await page.keyboard.press('Escape');

  // Multiple values are "one of".
  const several = nextFrame(dashboardPage, {
    filters: [{ key: 'label', operator: '=|', values: ['certidoes-negativas', 'contract-renewals'] }],
  });
  await chooseValues(page, 'automation', ['Certidões negativas', 'Contract renewals']);
  expect(column(await several, 'label')).toEqual(['certidoes-negativas', 'contract-renewals']);

  // A single value uses the service's own search.
  const one = nextFrame(dashboardPage, { search: 'contract-renewals' });
  await chooseValues(page, 'automation', ['Certidões negativas']);
  expect(column(await one, 'label')).toEqual(['contract-renewals']);

  // All doesn't filter.
  const all = nextFrame(dashboardPage, { queryType: 'automations', search: undefined, filters: undefined });
  await chooseValues(page, 'automation', ['All']);
  expect(column(await all, 'label').length).toBeGreaterThan(2);
});
