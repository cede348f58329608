import { selectors } from '../../src/selectors';
import { dashboard, panel } from './support/dashboard';
import { choose, column, dataSetRadio, nextFrame } from './support/query';
import { expect, test } from './support/test';
import { chooseValues, variable, variableInput } from './support/variables';

const { query } = selectors;

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

test('the variable editor lists the values of a field', async ({ provisioned, variableEditPage, page }) => {
  await variableEditPage.setVariableType('Query');
  await variableEditPage.datasource.set(provisioned.name);

  // The initial query of a new variable: labels of automations.
  await expect(dataSetRadio(page, query.dataSet, 'Automations')).toBeChecked();
  await expect(page.getByTestId(query.field)).toHaveValue('Automation');
  await variableEditPage.runQuery();
  await expect(variableEditPage).toDisplayPreviews(['Bank reconciliation']);

  await dataSetRadio(page, query.dataSet, 'Tasks').check({ force: true });
  await expect(page.getByTestId(query.field)).toHaveValue('Automation');
  await choose(page, query.field, 'finishStatus');
  await variableEditPage.runQuery();
  await expect(variableEditPage).toDisplayPreviews(['FAILED', 'PARTIALLY_COMPLETED', 'SUCCESS']);

  await page.getByTestId(query.search).fill('succ');
  await page.getByTestId(query.search).press('Enter');
  await variableEditPage.runQuery();
  await expect(variableEditPage).toDisplayPreviews(['SUCCESS']);
});
