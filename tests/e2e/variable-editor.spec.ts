import { selectors } from '../../src/selectors';
import { choose, dataSetRadio } from './support/query';
import { expect, test } from './support/test';

const { query: variable } = selectors;

test('the variable editor lists the values of a field', async ({ provisioned, variableEditPage, page }) => {
  await variableEditPage.setVariableType('Query');
  await variableEditPage.datasource.set(provisioned.name);

  // The initial query of a new variable: labels of automations.
  await expect(dataSetRadio(page, variable.dataSet, 'Automations')).toBeChecked();
  await expect(page.getByTestId(variable.field)).toHaveValue('Automation');
  await variableEditPage.runQuery();
  await expect(variableEditPage).toDisplayPreviews(['Bank reconciliation']);

  await dataSetRadio(page, variable.dataSet, 'Tasks').check({ force: true });
  await expect(page.getByTestId(variable.field)).toHaveValue('Automation');
  await choose(page, variable.field, 'finishStatus');
  await variableEditPage.runQuery();
  await expect(variableEditPage).toDisplayPreviews(['FAILED', 'PARTIALLY_COMPLETED', 'SUCCESS']);

  await page.getByTestId(variable.search).fill('succ');
  await page.getByTestId(variable.search).press('Enter');
  await variableEditPage.runQuery();
  await expect(variableEditPage).toDisplayPreviews(['SUCCESS']);
});
