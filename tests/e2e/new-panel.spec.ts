import { getDataSet } from '../../schema/datasets';
import { newPanel } from '../../src/query/firstQuery';
import { selectors } from '../../src/selectors';
import { dashboard, panel } from './support/dashboard';
import { dataSetRadio, namesOf, nextFrame } from './support/query';
import { expect, test } from './support/test';

const { query } = selectors;

test('a new panel draws tasks over time by finish status', async ({ provisioned, panelEditPage, page }) => {
  await panelEditPage.datasource.set(provisioned.name);
  await expect(dataSetRadio(page, query.dataSet, getDataSet('tasks').label)).toBeChecked();
  await expect(page.getByTestId(query.format).getByRole('radio', { name: 'Time series' })).toBeChecked();

  const answer = nextFrame(panelEditPage, newPanel);
  // On a busy machine, refreshPanel of @grafana/plugin-e2e takes the button for one that does not fit.
  await page.getByTestId('data-testid RefreshPicker run button').click();
  expect(namesOf(await answer)).not.toContain('id');
  await expect(panelEditPage.panel.getErrorIcon()).toBeHidden();
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
