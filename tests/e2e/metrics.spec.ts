import { dashboard, panel } from './support/dashboard';
import { metric } from '../../workbench/backend/metrics';
import { expect, test } from './support/test';

test('Grafana serves the plugin’s own metrics', async ({ api, createSource, createDashboard, gotoDashboardPage }) => {
  const before = await api.metrics();
  const { uid: source } = await createSource();
  const panels = [
    panel(source, { queryType: 'automations' }, { id: 1 }),
    panel(source, { queryType: 'automations', format: 'numeric', measure: 'taskCount' }, { id: 2 }),
    panel(source, { queryType: 'automations', measure: 'nothing', format: 'numeric' }, { id: 3 }),
  ];
  const dashboardPage = await gotoDashboardPage({ uid: await createDashboard(dashboard(panels)) });
  await expect(dashboardPage.getPanelByTitle('Panel 2').data).not.toHaveCount(0);
  await expect(dashboardPage.getPanelByTitle('Panel 3').getErrorIcon()).toBeVisible();

  const after = await api.metrics();
  const grown = (name: string) => metric(after, name) - metric(before, name);
  for (const name of [
    'insights_logins_total',
    'insights_service_request_duration_seconds_count',
    'insights_rows_total',
    'insights_reads_total',
    'insights_queries_failed_total',
  ]) {
    expect(grown(name), name).toBeGreaterThan(0);
  }
  expect(after).toMatch(/^insights_service_request_duration_seconds_bucket\{.*route="[^"]+",status="200"/m);
  expect(after).toMatch(/^insights_reads_total\{data_set="automations",source="cache"\} [1-9]/m);
  expect(after).toMatch(/^insights_queries_failed_total\{reason="input"\} [1-9]/m);
  expect(after).toMatch(/^# TYPE insights_service_retries_total counter$/m);
});
