import { getDataSet } from '../../datasets/datasets';
import { selectors } from '../../src/selectors';
import { expect, test } from './support/test';
import { setVisualization } from './support/visualization';

test('a new panel asks for tasks', async ({ provisioned, panelEditPage, page }) => {
  await panelEditPage.datasource.set(provisioned.name);
  await expect(page.getByTestId(selectors.query.dataSet)).toHaveValue(getDataSet('tasks').label);

  await setVisualization(panelEditPage, 'Table');
  await expect(panelEditPage.refreshPanel()).toBeOK();
  await expect(panelEditPage.panel.fieldNames).toContainText(['id', 'state', 'finishStatus']);
  await expect(panelEditPage.panel.data.nth(1)).toHaveText(/^(START|RUNNING|FINISHED|CANCELED|TIMEOUT)$/);
});
