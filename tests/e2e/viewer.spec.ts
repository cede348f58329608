import { expect, key, test } from './support/test';

const user = { login: `e2e-viewer-${crypto.randomUUID()}`, password: crypto.randomUUID() };

test.describe('a viewer', () => {
  let id = 0;

  test.beforeEach(async ({ api, page }) => {
    id = await api.createUser(user);
    await page.context().clearCookies();
    const login = await page.request.post('/login', { data: { user: user.login, password: user.password } });
    expect(login.status(), await login.text()).toBe(200);
    // A page that was never opened prevents Chromium from closing its context. Until Grafana's home page is complete, it may
    // still load itself in place of a page that is opened meanwhile.
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Welcome to Grafana' })).toBeVisible();
  });

  test.afterEach(async ({ api, page }) => {
    // Grafana's page reloads when its user is gone, and a page that navigates may prevent Chromium from closing.
    await page.goto('about:blank');
    await api.deleteUser(id);
  });

  test('sees the dashboards, but no key and no token', async ({ gotoDashboardPage, page }) => {
    const bodies: Array<Promise<string>> = [];
    page.on('response', (response) => {
      const headers = JSON.stringify(response.headers());
      // Nothing else has read a body that disappeared with its page either.
      bodies.push(
        response.text().then(
          (body) => `${response.url()} ${headers} ${body}`,
          () => ''
        )
      );
    });
    const dashboardPage = await gotoDashboardPage({ uid: 'insights-operations' });
    await dashboardPage.waitForPanelsQueriesToComplete({ timeout: 60_000 });
    await expect(dashboardPage.getPanelByTitle('Failed').locator).toBeVisible();
    await expect(dashboardPage).not.toHavePanelErrors();

    const told = await Promise.all(bodies);
    expect(told.filter((text) => text.includes('/api/ds/query')).length).toBeGreaterThan(0);
    expect(told.filter((text) => text.includes(key) || /access_?token/i.test(dataOf(text)))).toEqual([]);
  });

  test('gets data through the plugin, but nothing that the service returns to a login', async ({
    page,
    provisioned,
  }) => {
    const resources = `/api/datasources/uid/${provisioned.uid}/resources`;
    const data = await page.request.get(`${resources}/api/v1/insights/automation?filterBy=1`);
    expect(data.status()).toBe(200);
    expect(Object.keys(data.headers()).filter((name) => /token|organization/i.test(name))).toEqual([]);

    const login = await page.request.post(`${resources}/api/v2/workspace/login`, { data: {} });
    expect([404, 405]).toContain(login.status());
    const proxied = await page.request.get(`/api/datasources/proxy/uid/${provisioned.uid}/api/v1/insights/tasks`);
    expect(proxied.ok(), 'Grafana’s own proxy adds no token').toBe(false);
  });
});

/** Grafana's scripts contain the word token; responses with data must not. */
function dataOf(text: string): string {
  return /^\S+\/(api|apis)\//.test(text) ? text : '';
}
