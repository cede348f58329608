import { type Page, request as http } from '@playwright/test';

import { dashboardsIn } from '../../dashboards';
import { tokens } from '../../simulator/session';
import { pluginId } from './support/plugin';
import { expect, key, test } from './support/test';

const { 'wall.json': wall } = dashboardsIn('en-US');

test.use({ viewport: { width: 1920, height: 1080 } });

test('the wall can be shared as it is: everybody sees all panels, and nothing of the service', async ({
  api,
  baseURL,
  browser,
  provisioned,
  page,
  grafanaAPICredentials,
}) => {
  test.setTimeout(180_000);
  const context = await http.newContext({
    baseURL,
    httpCredentials: { ...basic(grafanaAPICredentials), send: 'always' },
  });
  const dashboard = { ...wall, uid: `e2e-wall-${Date.now()}` };
  // What Grafana's Import does: it replaces the data source, and nothing else.
  const inputs = [{ name: 'datasource', type: 'datasource', pluginId, value: provisioned.uid }];
  const imported = await context.post('/api/dashboards/import', { data: { dashboard, inputs, overwrite: false } });
  expect(imported.ok(), await imported.text()).toBe(true);
  try {
    const shared = await context.post(`/api/dashboards/uid/${dashboard.uid}/public-dashboards`, {
      data: { isEnabled: true, share: 'public' },
    });
    expect(shared.ok(), await shared.text()).toBe(true);
    const { accessToken } = (await shared.json()) as { accessToken: string };

    const anonymous = await browser.newContext({ baseURL, storageState: { cookies: [], origins: [] } });
    const everybody = await anonymous.newPage();
    await everybody.setViewportSize(page.viewportSize()!);
    const bodies: string[] = [];
    const failed: string[] = [];
    everybody.on('response', async (response) => {
      if (!/\.(js|css|woff2?|svg|png)(\?|$)/.test(response.url())) {
        bodies.push(`${response.url()} ${await response.text().catch(() => '')}`);
      }
      if (response.url().includes('/api/public/') && !response.ok()) {
        failed.push(`${response.status()} ${response.url()}`);
      }
    });
    await everybody.goto(`/public-dashboards/${accessToken}`);

    const panels = everybody.locator('[data-testid^="data-testid Panel header "]');
    await expect(panels).toHaveCount(wall.panels.length, { timeout: 60_000 });
    const numbers = wall.panels
      .map(({ fieldConfig }) => String(fieldConfig?.defaults.displayName ?? ''))
      .filter(Boolean);
    expect(numbers).toHaveLength(6);
    for (const name of numbers) {
      const panel = panels.filter({ hasText: name }).first();
      await expect(panel, name).toContainText(/\d|None/, { timeout: 60_000 });
    }
    await expect(panels.filter({ hasText: 'Look at this first' })).toContainText(/usually|Nothing needs attention/);
    await expect(panels.filter({ hasText: 'Runners' }).last().locator('canvas')).toBeVisible();
    await expect(everybody.getByText(/No result|no answer|Invalid panel|error/i)).toHaveCount(0);
    expect(failed).toEqual([]);

    const answers = bodies.filter((body) => /\/panels\/\d+\/query/.test(body));
    expect(answers.length).toBeGreaterThanOrEqual(wall.panels.length);
    const secrets = [key, new URL(provisioned.url).host, '/api/v1/insights', '/workspace/login'];
    for (const secret of secrets) {
      expect(
        bodies.filter((body) => body.includes(secret)).map((body) => body.slice(0, 120)),
        secret
      ).toEqual([]);
    }
    expect(bodies.filter((body) => body.includes('/api/') && tokens.test(body))).toEqual([]);
    await expectLargeType(everybody);
    await anonymous.close();
  } finally {
    await api.deleteDashboard(dashboard.uid);
    await context.dispose();
  }
});

const basic = ({ user, password }: { user?: string; password?: string }) => ({
  username: user ?? 'admin',
  password: password ?? 'admin',
});

/** At five metres, a digit of 60 px on a screen of 55 inches is about as large as a line of print in the hand. */
async function expectLargeType(page: Page) {
  const sizes = await page.evaluate(() =>
    [...document.querySelectorAll('[data-testid^="data-testid Panel header "] span')]
      .filter((element) => /^\d+$/.test((element as HTMLElement).innerText.trim()))
      .map((element) => parseFloat(getComputedStyle(element).fontSize))
  );
  expect(Math.max(...sizes)).toBeGreaterThanOrEqual(60);
  const overflows = await page.evaluate(() => document.documentElement.scrollHeight > window.innerHeight);
  expect(overflows, 'fits on the screen').toBe(false);
}
