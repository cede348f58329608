import { getDataSet } from '../../schema/datasets';
import { newPanel } from '../../src/query/firstQuery';
import { selectors } from '../../src/selectors';
import { dashboard, panel } from './support/dashboard';
import { dataSetRadio, namesOf, nextFrame } from './support/query';
import { expect, test } from './support/test';
import { setVisualization } from './support/visualization';

const { query } = selectors;

test('a new panel draws tasks over time by finish status', async ({ provisioned, panelEditPage, page }) => {
  await panelEditPage.datasource.set(provisioned.name);
  await expect(dataSetRadio(page, query.dataSet, getDataSet('tasks').label)).toBeChecked();
  await expect(page.getByTestId(query.format).getByRole('radio', { name: 'Time series' })).toBeChecked();

  const answer = nextFrame(panelEditPage, newPanel);
  await expect(panelEditPage.refreshPanel()).toBeOK();
  expect(namesOf(await answer)).not.toContain('id');
  await expect(panelEditPage.panel.getErrorIcon()).toBeHidden();
});

test('the rows of a new panel stay rows', async ({ provisioned, panelEditPage, page }) => {
  await panelEditPage.datasource.set(provisioned.name);
  await setVisualization(panelEditPage, 'Table');
  await page.getByTestId(query.format).getByRole('radio', { name: 'Table' }).check();

  await expect(panelEditPage.refreshPanel()).toBeOK();
  await expect(panelEditPage.panel.fieldNames).toContainText(['Automation', 'Created', 'Duration', 'Runner', 'State']);
  await expect(panelEditPage.panel.data.nth(4)).toHaveText(/^(START|RUNNING|FINISHED|CANCELED|TIMEOUT)$/);
});

test('a saved query without a format stays a table in a panel that draws lines', async ({
  provisioned,
  editPanel,
  page,
}) => {
  const panelEditPage = await editPanel(dashboard([panel(provisioned.uid, {}, { type: 'timeseries' })]));
  await expect(page.getByTestId(query.format).getByRole('radio', { name: 'Table' })).toBeChecked();

  const answer = nextFrame(panelEditPage, { format: undefined, measure: undefined, groupBy: undefined });
  await page.getByTestId('data-testid RefreshPicker run button').click();
  expect(namesOf(await answer)).toContain('id');
  await expect(page.getByTestId(query.format).getByRole('radio', { name: 'Table' })).toBeChecked();
});

test('a panel that cannot draw the query switches to one that can', async ({ provisioned, editPanel, page }) => {
  await editPanel(dashboard([panel(provisioned.uid, { format: 'timeline' }, { type: 'timeseries' })]));
  await expect(page.getByTestId(query.drawnBy)).toContainText('Drawn by State timeline');
  await page.getByRole('button', { name: 'Switch to State timeline' }).click();
  await expect(page.getByTestId('data-testid Panel editor OptionsPane header')).toHaveText('State timeline');
  await expect(page.getByTestId(query.drawnBy)).toBeHidden();
});
