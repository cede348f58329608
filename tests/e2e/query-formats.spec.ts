import { dataSets, fieldNames } from '../../schema/datasets';
import { taskColumns } from '../../src/query/query';
import { selectors } from '../../src/selectors';
import { dashboard, panel } from './support/dashboard';
import { choose, dataSetRadio, namesOf, nextFrame } from './support/query';
import { expect, test } from './support/test';

const { query } = selectors;

for (const dataSet of dataSets) {
  test(`${dataSet.name} are shown as a table`, async ({ provisioned, editPanel, page }) => {
    // Starts with another data set, so that the selection causes the query.
    const queryType = dataSet.name === 'tasks' ? 'runners' : 'tasks';
    const panelEditPage = await editPanel(dashboard([panel(provisioned.uid, { queryType })]));
    const answer = nextFrame(panelEditPage, { queryType: dataSet.name });
    await dataSetRadio(page, query.dataSet, dataSet.label).check({ force: true });

    const shown = dataSet.name === 'tasks' ? taskColumns : fieldNames(dataSet);
    expect(namesOf(await answer)).toEqual(shown);
    const labels = shown.map((name) => dataSet.fields.find((field) => field.name === name)?.label ?? '');
    await expect(panelEditPage.panel.fieldNames).toContainText(labels.slice(0, 3));
    await expect(panelEditPage.panel.data.first()).not.toBeEmpty();
    await expect(panelEditPage.panel.getErrorIcon()).toBeHidden();
  });
}

test('totals are shown as a line, day by day', async ({ provisioned, editPanel, page }) => {
  const shown = panel(provisioned.uid, { queryType: 'automations' }, { type: 'timeseries' });
  const panelEditPage = await editPanel(dashboard([shown]));
  const answer = nextFrame(panelEditPage, { queryType: 'automations', format: 'timeseries', measure: 'savings' });
  await page.getByTestId(query.format).getByRole('radio', { name: 'Time series' }).check();
  await choose(page, query.measure, 'savings');

  const frame = await answer;
  expect(frame.schema.meta?.type).toBe('timeseries-wide');
  const times = frame.data.values[0] as number[];
  expect(times.slice(1).every((time, index) => time - times[index] === 86_400_000)).toBe(true);
  await expect(page.getByTestId(query.stepHelp)).toBeVisible();
  await expect(panelEditPage.panel.getErrorIcon()).toBeHidden();
});
