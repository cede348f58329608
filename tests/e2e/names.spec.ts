import { type Page } from '@playwright/test';

import { dashboardsIn } from '../../dashboards';
import { getDataSet } from '../../schema/datasets';
import { described } from '../../schema/settings';
import { translationsIn } from '../../schema/translations';
import { type QueryParts } from '../../src/query/query';
import { dashboard, panel } from './support/dashboard';
import { expect, test } from './support/test';

const rows: QueryParts = { queryType: 'automations', columns: ['label', 'taskCount', 'sumItemsError'] };
const { fields } = getDataSet('automations');
const named = (name: string) => fields.find((field) => field.name === name)!;
const labels = (language: string) =>
  ['label', 'taskCount', 'sumItemsError'].map(
    (name) => translationsIn(language)[named(name).label] ?? named(name).label
  );

/** Shows Grafana in another language. */
async function speak(page: Page, language: string) {
  await page.route('**/{d,connections}/**', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/"language":"[^"]*"/, `"language":"${language}"`);
    await route.fulfill({ response, body });
  });
}

for (const [names, shown] of [
  ['en-US', labels('en-US')],
  ['pt-BR', labels('pt-BR')],
  ['es-ES', labels('es-ES')],
  ['api', rows.columns ?? []],
] as const) {
  test(`names: ${names}, for users of every language`, async ({
    createSource,
    createDashboard,
    gotoDashboardPage,
    page,
  }) => {
    const { uid: source } = await createSource({ jsonData: { names } });
    const uid = await createDashboard(dashboard([panel(source, rows)]));
    for (const language of ['en-US', 'pt-BR']) {
      await speak(page, language);
      const { fieldNames } = (await gotoDashboardPage({ uid })).getPanelByTitle('Panel 1');
      await expect(fieldNames).toHaveText(shown.map((name) => new RegExp(`^${name}`)));
    }
  });
}

test('the settings are in the language of the user', async ({ provisioned, page }) => {
  await speak(page, 'pt-BR');
  await page.goto(`/connections/datasources/edit/${provisioned.uid}`);
  await expect(page.getByText('Avançado')).toBeVisible();
  await expect(page.getByText(translationsIn('pt-BR')[described.url.help])).toBeVisible();
});

test('the dashboards are imported in the language of the data source', async ({ api, createSource, page }) => {
  const { uid } = await createSource({ jsonData: { names: 'pt-BR' } });
  await page.goto(`/connections/datasources/edit/${uid}`);
  await page.getByRole('button', { name: 'Import dashboards' }).click();
  await expect(page.getByText(/imported (\d+) of \1/)).toBeVisible();
  await page.goto((await page.getByRole('link', { name: /^Show/ }).getAttribute('href'))!);
  const titles = Object.values(dashboardsIn('pt-BR')).map(({ title }) => title);
  for (const title of titles) {
    await expect(page.getByRole('link', { name: title }).first(), title).toBeVisible();
  }
  const own = Object.values(dashboardsIn('pt-BR')).map((one) => one.uid || `insights-wall-${uid}`);
  await Promise.all(own.map((one) => api.deleteDashboard(one)));
});

test('an override finds a field by its name in the API, and by the displayed name', async ({
  provisioned,
  openDashboard,
}) => {
  const overrides = [
    ['sumItemsError', 'Faults'],
    [named('taskCount').label, 'Runs'],
  ].map(([options, value]) => ({
    matcher: { id: 'byName', options },
    properties: [{ id: 'displayName', value }],
  }));
  const shown = { ...panel(provisioned.uid, rows), fieldConfig: { defaults: {}, overrides } };
  const dashboardPage = await openDashboard(dashboard([shown]));
  const { fieldNames } = dashboardPage.getPanelByTitle('Panel 1');
  await expect(fieldNames).toHaveText([/^Automation/, /^Runs/, /^Faults/]);
});

for (const [queryType, measure, label] of [
  ['automations', 'taskCount', 'label'],
  ['tasks', 'tasks', 'activityLabel'],
] as const) {
  test(`a legend of ${queryType} has the names of automations`, async ({ provisioned, api, openDashboard }) => {
    const lines: QueryParts = { queryType, format: 'timeseries', measure, groupBy: [label], limit: 2 };
    const names = [...(await api.automationNames(provisioned.uid)).values()];
    const shown = panel(provisioned.uid, lines, { type: 'timeseries' });
    const dashboardPage = await openDashboard(dashboard([shown]));
    const legend = dashboardPage.getByGrafanaSelector('data-testid VizLegend series ', { startsWith: true });
    await expect(legend).toHaveCount(2);
    for (const text of await legend.allTextContents()) {
      expect(names).toContain(text);
    }
  });
}
