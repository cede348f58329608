import { dashboard, panel } from './support/dashboard';
import { type GrafanaApi } from './support/grafana';
import { metric } from '../../workbench/backend/metrics';
import { expect, test } from './support/test';

const reloads = 20;
/** Less than one per reload; alert rules and Grafana itself use some in the meantime. */
const slack = { goroutines: 15, files: 10, bytes: 48 * 1024 * 1024 };

async function usage(api: GrafanaApi) {
  const text = await api.metrics();
  return {
    goroutines: metric(text, 'go_goroutines'),
    files: metric(text, 'process_open_fds'),
    bytes: metric(text, 'process_resident_memory_bytes'),
  };
}

test('twenty reloads leave no goroutine, connection or memory behind', async ({
  api,
  createSource,
  createDashboard,
  gotoDashboardPage,
  page,
}) => {
  test.setTimeout(400_000);
  // Without a cache, each reload reads from the service.
  const { uid: source } = await createSource({ jsonData: { cacheTTL: 0 } });
  const panels = [
    panel(source, { queryType: 'tasks' }, { id: 1 }),
    panel(source, { queryType: 'automations' }, { id: 2 }),
    panel(source, { queryType: 'runners' }, { id: 3 }),
  ];
  const uid = await createDashboard(dashboard(panels, { time: { from: 'now-2d', to: 'now' } }));
  const dashboardPage = await gotoDashboardPage({ uid });
  const isShown = async () => {
    for (const { title } of panels) {
      await expect(dashboardPage.getPanelByTitle(title).data).not.toHaveCount(0, { timeout: 60_000 });
    }
  };
  const reload = async (times: number) => {
    for (let count = 0; count < times; count++) {
      await page.reload();
      await isShown();
    }
  };
  // The first reads open connections that the next ones reuse.
  await reload(3);
  const readsBefore = metric(await api.metrics(), 'insights_reads_total');
  const before = await usage(api);
  await reload(reloads);
  expect(metric(await api.metrics(), 'insights_reads_total') - readsBefore).toBeGreaterThan(reloads);

  // Idle connections are closed after a while, and memory is released.
  for (const kind of ['goroutines', 'files', 'bytes'] as const) {
    await expect
      .poll(async () => (await usage(api))[kind], { message: kind, timeout: 150_000, intervals: [2_000] })
      .toBeLessThanOrEqual(before[kind] + slack[kind]);
  }
});
