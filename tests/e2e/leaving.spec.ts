import { dashboard, panel } from './support/dashboard';
import { expect, test } from './support/test';

test('leaving a dashboard cancels its reads', async ({
  simulator,
  createSource,
  createDashboard,
  gotoDashboardPage,
  page,
}) => {
  const days = 13;
  const { uid: source } = await createSource();
  const time = { from: `now-${days}d`, to: 'now' };
  const uid = await createDashboard(dashboard([panel(source, { queryType: 'runners' })], { time }));
  await simulator.setFault({ route: 'runner', kind: 'delay', delayMs: 25_000 });
  await gotoDashboardPage({ uid });
  await expect.poll(async () => (await simulator.requests(days)).length).toBe(1);
  expect((await simulator.requests(days))[0].aborted).toBe(false);

  await page.getByRole('link', { name: 'Dashboards', exact: true }).first().click();
  await expect(page).toHaveURL(/\/dashboards/);

  // Long before the service responds.
  await expect
    .poll(async () => (await simulator.requests(days)).map(({ aborted }) => aborted), { timeout: 15_000 })
    .toEqual([true]);
});
