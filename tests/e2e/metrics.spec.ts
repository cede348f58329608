import { dashboard, panel } from './support/dashboard';
import { metric } from '../../workbench/backend/metrics';
import { expect, test } from './support/test';

test('Grafana serves the metrics of the plugin and of its SDK', async ({ api, createSource, openDashboard }) => {
  const before = await api.metrics();
  const { uid: source } = await createSource();
  const panels = [
    panel(source, { queryType: 'automations' }, { id: 1 }),
    panel(source, { queryType: 'automations', format: 'numeric', measure: 'taskCount' }, { id: 2 }),
  ];
  const dashboardPage = await openDashboard(dashboard(panels));
  await expect(dashboardPage.getPanelByTitle('Panel 2').data).not.toHaveCount(0);

  const after = await api.metrics();
  const grown = (name: string) => metric(after, name) - metric(before, name);
  for (const name of ['insights_reads_total', 'plugins_datasource_request_total']) {
    expect(grown(name), name).toBeGreaterThan(0);
  }
  expect(after).toMatch(/^insights_reads_total\{data_set="automations",source="cache"\} [1-9]/m);
});
