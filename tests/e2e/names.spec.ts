import { getDataSet } from '../../datasets/datasets';
import { type QueryParts } from '../../src/query';
import { dashboard, panel } from './support/dashboard';
import { expect, test } from './support/test';

const rows: QueryParts = { queryType: 'automations', columns: ['label', 'taskCount', 'sumItemsError'] };
const renamed = {
  matcher: { id: 'byName', options: 'sumItemsError' },
  properties: [{ id: 'displayName', value: 'Faults' }],
};

test('a table has the names that people use, and an override by the name of the API holds', async ({
  provisioned,
  createDashboard,
  gotoDashboardPage,
}) => {
  const shown = { ...panel(provisioned.uid, rows), fieldConfig: { defaults: {}, overrides: [renamed] } };
  const dashboardPage = await gotoDashboardPage({ uid: await createDashboard(dashboard([shown])) });
  const { fieldNames } = dashboardPage.getPanelByTitle('Panel 1');
  await expect(fieldNames).toContainText(['Automation', 'Tasks', 'Faults']);
});

test('a transformation that was saved with the names of the API holds', async ({
  provisioned,
  createDashboard,
  gotoDashboardPage,
}) => {
  const options = { excludeByName: { sumItemsError: true }, renameByName: { taskCount: 'Runs' } };
  const organize = { id: 'organize', options: { ...options, indexByName: { taskCount: 0, label: 1 } } };
  const shown = { ...panel(provisioned.uid, rows), transformations: [organize] };
  const dashboardPage = await gotoDashboardPage({ uid: await createDashboard(dashboard([shown])) });
  const { fieldNames } = dashboardPage.getPanelByTitle('Panel 1');
  await expect(fieldNames).toHaveText([/^Runs/, /^label/]);
});

test('a table that was saved in its order keeps it, and its names', async ({
  provisioned,
  createDashboard,
  gotoDashboardPage,
}) => {
  const sortBy = [{ displayName: 'taskCount', desc: true }];
  const shown = { ...panel(provisioned.uid, rows), options: { sortBy } };
  const dashboardPage = await gotoDashboardPage({ uid: await createDashboard(dashboard([shown])) });
  const { locator } = dashboardPage.getPanelByTitle('Panel 1');
  await expect(locator.getByRole('columnheader', { name: 'taskCount' })).toHaveAttribute('aria-sort', 'descending');
});

test('a legend has the names of automations', async ({ provisioned, createDashboard, gotoDashboardPage, api }) => {
  const lines: QueryParts = {
    queryType: 'automations',
    format: 'timeseries',
    measure: 'taskCount',
    groupBy: ['label'],
  };
  const shown = panel(provisioned.uid, { ...lines, limit: 2 }, { type: 'timeseries' });
  const names = await api.automationNames(provisioned.uid);
  const dashboardPage = await gotoDashboardPage({ uid: await createDashboard(dashboard([shown])) });
  const legend = dashboardPage.getByGrafanaSelector('data-testid VizLegend series ', { startsWith: true });
  await expect(legend).toHaveCount(2);
  for (const text of await legend.allTextContents()) {
    expect(names).toContain(text);
  }
});

test('names are of the language of the user', async ({ provisioned, createDashboard, gotoDashboardPage, page }) => {
  const uid = await createDashboard(dashboard([panel(provisioned.uid, rows)]));
  await page.route(`**/d/${uid}**`, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/"language":"[^"]*"/, '"language":"pt-BR"');
    await route.fulfill({ response, body });
  });
  const { fieldNames } = (await gotoDashboardPage({ uid })).getPanelByTitle('Panel 1');
  const { fields } = getDataSet('automations');
  const labels = rows.columns?.map((name) => fields.find((field) => field.name === name)?.labels['pt-BR'] ?? '');
  await expect(fieldNames).toContainText(labels ?? []);
});
