import { dataSets, fieldNames, findNamed } from '../../schema/datasets';
import { selectors } from '../../src/selectors';
import { dashboard, panel } from './support/dashboard';
import { choose, namesOf, nextFrame } from './support/query';
import { expect, test } from './support/test';

const { query } = selectors;

for (const dataSet of dataSets) {
  test(`${dataSet.name} are shown as a table`, async ({ provisioned, createDashboard, gotoPanelEditPage, page }) => {
    // Starts with another data set, so that the selection causes the query.
    const queryType = dataSet.name === 'tasks' ? 'runners' : 'tasks';
    const uid = await createDashboard(dashboard([panel(provisioned.uid, { queryType })]));
    const panelEditPage = await gotoPanelEditPage({ dashboard: { uid }, id: '1' });
    const answer = nextFrame(panelEditPage, { queryType: dataSet.name });
    await choose(page, query.dataSet, dataSet.label);

    expect(namesOf(await answer)).toEqual(fieldNames(dataSet));
    await expect(panelEditPage.panel.fieldNames).toContainText(dataSet.fields.slice(0, 3).map(({ label }) => label));
    await expect(panelEditPage.panel.data.first()).not.toBeEmpty();
    await expect(panelEditPage.panel.getErrorIcon()).toBeHidden();
  });

  test(`${dataSet.name} are shown as numbers`, async ({ provisioned, createDashboard, gotoPanelEditPage, page }) => {
    const uid = await createDashboard(dashboard([panel(provisioned.uid, { queryType: dataSet.name })]));
    const panelEditPage = await gotoPanelEditPage({ dashboard: { uid }, id: '1' });
    const group = dataSet.searchField;
    const answer = nextFrame(panelEditPage, { queryType: dataSet.name, format: 'numeric', groupBy: [group] });
    await page.getByTestId(query.format).getByRole('radio', { name: 'Number' }).check();
    await choose(page, query.groupBy, group);

    const frame = await answer;
    expect(frame.schema.meta?.type).toBe('numeric-long');
    expect(namesOf(frame)).toHaveLength(2);
    expect(frame.data.values[0].length).toBeGreaterThan(1);
    await expect(panelEditPage.panel.fieldNames).toContainText(
      namesOf(frame).map((name) => findNamed(dataSet, name)?.label ?? name)
    );
    await expect(panelEditPage.panel.getErrorIcon()).toBeHidden();
  });
}

test('tasks are shown as lines with a legend', async ({ provisioned, createDashboard, gotoPanelEditPage, page }) => {
  const shown = panel(provisioned.uid, { queryType: 'tasks' }, { type: 'timeseries' });
  const uid = await createDashboard(dashboard([shown]));
  const panelEditPage = await gotoPanelEditPage({ dashboard: { uid }, id: '1' });
  const answer = nextFrame(panelEditPage, { queryType: 'tasks', format: 'timeseries', groupBy: ['finishStatus'] });
  await page.getByTestId(query.format).getByRole('radio', { name: 'Time series' }).check();
  await choose(page, query.groupBy, 'finishStatus');

  const frame = await answer;
  expect(frame.schema.meta?.type).toBe('timeseries-wide');
  expect(frame.schema.fields[0]).toMatchObject({ name: 'time', type: 'time' });
  const legend = panelEditPage.getByGrafanaSelector('data-testid VizLegend series ', { startsWith: true });
  await expect(legend).toHaveCount(frame.schema.fields.length - 1);
  await expect(legend.filter({ hasText: 'SUCCESS' })).toBeVisible();
  await expect(panelEditPage.panel.getErrorIcon()).toBeHidden();
});

for (const [name, measure, absent] of [
  ['automations', 'savings', 'successRate'],
  ['runners', 'items', 'utilizationRate'],
] as const) {
  test(`${name} are shown as a line, day by day`, async ({ provisioned, createDashboard, gotoPanelEditPage, page }) => {
    const shown = panel(provisioned.uid, { queryType: name }, { type: 'timeseries' });
    const uid = await createDashboard(dashboard([shown]));
    const panelEditPage = await gotoPanelEditPage({ dashboard: { uid }, id: '1' });
    const answer = nextFrame(panelEditPage, { queryType: name, format: 'timeseries', measure });
    await page.getByTestId(query.format).getByRole('radio', { name: 'Time series' }).check();
    await page.getByTestId(query.measure).click();
    await expect(page.getByRole('option', { name: absent })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await choose(page, query.measure, measure);

    const frame = await answer;
    expect(frame.schema.meta?.type).toBe('timeseries-wide');
    const times = frame.data.values[0] as number[];
    expect(times.slice(1).every((time, index) => time - times[index] === 86_400_000)).toBe(true);
    await expect(page.getByTestId(query.stepHelp)).toBeVisible();
    await expect(panelEditPage.panel.getErrorIcon()).toBeHidden();
  });
}
