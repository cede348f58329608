import { test as base } from '@grafana/plugin-e2e';

import { type DashboardModel } from './dashboard';
import { GrafanaApi, type Source, type SourceInput } from './grafana';
import { Simulator } from './simulator';

export { expect } from '@grafana/plugin-e2e';

interface Fixtures {
  api: GrafanaApi;
  /** The data source of provisioning/datasources. */
  provisioned: Source;
  /** Makes a data source that reads the same service as the provisioned one, with a session and a cache of its own. */
  createSource: (input?: SourceInput) => Promise<Source>;
  /** Makes a dashboard and gives its uid. */
  createDashboard: (dashboard: DashboardModel) => Promise<string>;
  /** The simulated service; tests that need it are skipped where its address is not known. */
  simulator: Simulator;
}

/** The key of the service, as docker-compose.yml has it unless told otherwise. */
export const key = process.env.INSIGHTS_KEY || 'demo-key';

/** What Grafana's tests for plugins have, and what these tests make: each cleans up after itself. */
export const test = base.extend<Fixtures>({
  api: async ({ playwright, baseURL, grafanaAPICredentials: { user, password } }, provide) => {
    const Authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    // The cookies of whoever is logged in would win over the header.
    const storageState = { cookies: [], origins: [] };
    const request = await playwright.request.newContext({ baseURL, extraHTTPHeaders: { Authorization }, storageState });
    await provide(new GrafanaApi(request));
    await request.dispose();
  },

  // Grafana changes the cookie of a session every ten minutes, and a run may take longer: each test logs in anew.
  context: async ({ context, baseURL, grafanaAPICredentials: data }, provide) => {
    await context.request.post(`${baseURL}/login`, { data });
    await provide(context);
  },

  // Grafana's version was looked up in another page, and Chromium draws a page in the background once a second.
  page: async ({ page }, provide) => {
    await page.bringToFront();
    await provide(page);
  },

  provisioned: async ({ api, readProvisionedDataSource }, provide) => {
    const { uid } = await readProvisionedDataSource({ fileName: 'insights.yaml' });
    await provide(await api.source(uid));
  },

  createSource: async ({ api, provisioned }, provide) => {
    const made: string[] = [];
    await provide(async ({ url, jsonData, secureJsonData } = {}) => {
      const source = await api.createSource({
        url: url ?? provisioned.url,
        jsonData: { login: provisioned.jsonData.login, ...jsonData },
        secureJsonData: { key, ...secureJsonData },
      });
      made.push(source.uid);
      return source;
    });
    await Promise.all(made.map((uid) => api.deleteSource(uid)));
  },

  createDashboard: async ({ api }, provide) => {
    const made: string[] = [];
    await provide(async (dashboard) => {
      const uid = await api.createDashboard({ ...dashboard, title: `${dashboard.title} ${crypto.randomUUID()}` });
      made.push(uid);
      return uid;
    });
    await Promise.all(made.map((uid) => api.deleteDashboard(uid)));
  },

  simulator: async ({ playwright }, provide, testInfo) => {
    const url = process.env.SIMULATOR_URL;
    testInfo.skip(!url, 'SIMULATOR_URL is not set: this test counts requests at the simulator');
    const request = await playwright.request.newContext();
    const simulator = new Simulator(request, url ?? '');
    // A run that was cut off may have left something behind.
    await simulator.restore();
    await provide(simulator);
    await simulator.restore();
    await request.dispose();
  },
});
