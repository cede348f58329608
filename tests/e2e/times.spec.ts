import { dashboard, panel, type PanelModel } from './support/dashboard';
import { expect, test } from './support/test';

/** A Stat that shows the names of its numbers, as on a dashboard where these say what they cover. */
function stat(of: PanelModel, options: object = {}): PanelModel {
  const reduceOptions = { calcs: ['lastNotNull'], fields: '', values: false };
  return {
    ...of,
    type: 'stat',
    ...{ options: { reduceOptions, textMode: 'value_and_name', graphMode: 'none', ...options } },
  };
}

const savings = { queryType: 'automations', format: 'numeric', measure: 'savings' } as const;

for (const [from, to, words] of [
  ['now-1h', 'now', /^Savings \(last 24 h\)$/],
  ['now-24h', 'now', /^Savings$/],
  ['now-7d', 'now', /^Savings$/],
  // The service may know only the end of that month.
  ['now-1M/M', 'now-1M/M', /^Savings \((only )?≈ (\d+ – )?\d+ \w{3}( \d{4})?\)$/],
] as const) {
  test(`a number over ${from} to ${to} says what it covers if that is a different time`, async ({
    provisioned,
    openDashboard,
  }) => {
    const shown = dashboard([stat(panel(provisioned.uid, savings))], { time: { from, to } });
    const dashboardPage = await openDashboard(shown);
    await expect(dashboardPage.getPanelByTitle('Panel 1').locator.getByText(words)).toBeVisible();
  });
}

for (const [names, fields] of [
  ['en-US', '/^Savings/'],
  // As Grafana's option Fields saved it before fields had display names.
  ['api', '/^savings$/'],
] as const) {
  test(`a Stat that finds its field by ${fields} finds it over every range`, async ({
    createSource,
    createDashboard,
    gotoDashboardPage,
  }) => {
    const { uid: source } = await createSource({ jsonData: { names } });
    const reduceOptions = { calcs: ['lastNotNull'], fields, values: false };
    const uid = await createDashboard(dashboard([stat(panel(source, savings), { reduceOptions })]));
    for (const from of ['now-1h', 'now-24h']) {
      const queryParams = new URLSearchParams({ from, to: 'now' });
      const { locator } = (await gotoDashboardPage({ uid, queryParams })).getPanelByTitle('Panel 1');
      await expect(locator.getByText(/^[\d,.]+$/)).toBeVisible();
      await expect(locator.getByText('No data')).toBeHidden();
    }
  });
}

test('a Stat shows the change compared with the period before', async ({ provisioned, openDashboard }) => {
  const compared = panel(provisioned.uid, { ...savings, compare: 'previous' });
  const dashboardPage = await openDashboard(dashboard([stat(compared, { showPercentChange: true })]));
  await expect(dashboardPage.getPanelByTitle('Panel 1').locator.getByText(/^-?[\d.]+%$/)).toBeVisible();
});
