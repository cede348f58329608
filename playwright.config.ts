import type { PluginOptions } from '@grafana/plugin-e2e';
import { defineConfig, devices } from '@playwright/test';
import { dirname } from 'node:path';

import { installedChromium } from './tests/chromium';

const pluginE2eAuth = `${dirname(require.resolve('@grafana/plugin-e2e'))}/auth`;
const isCI = Boolean(process.env.CI);

/**
 * Tests in a real Grafana at GRAFANA_URL, with the plugin and the provisioning of this repository. Tests that inspect
 * the service need the simulator at SIMULATOR_URL, and are skipped without it.
 */
export default defineConfig<PluginOptions>({
  testDir: './tests/e2e',
  // All tests share one Grafana and one simulator. They count requests and set faults, so they run one at a time.
  workers: 1,
  forbidOnly: isCI,
  retries: isCI ? 2 : 0,
  // Grafana, its plugin, the simulator, and the browser may share two processors.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['html', { open: 'never' }]],
  use: {
    baseURL: process.env.GRAFANA_URL || 'http://127.0.0.1:3000',
    launchOptions: installedChromium(),
    actionTimeout: 20_000,
    navigationTimeout: 60_000,
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
  },
  projects: [
    // Logs in once and stores the cookie for all other tests.
    {
      name: 'auth',
      testDir: pluginE2eAuth,
      testMatch: [/.*\.js/],
    },
    {
      name: 'chromium',
      use: {
        ...devices['Desktop Chrome'],
        viewport: { width: 1280, height: 1000 },
        storageState: 'playwright/.auth/admin.json',
      },
      dependencies: ['auth'],
    },
  ],
});
