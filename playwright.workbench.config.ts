import { defineConfig } from '@playwright/test';
import { installedChromium } from './tests/chromium';
import type { WorkbenchOptions } from './tests/workbench/fixtures';

/** Browser tests of the workbench: they need the built plugin and a Chromium, and no Grafana (those are in tests/e2e). */
export default defineConfig<object, WorkbenchOptions>({
  testDir: './tests/workbench',
  outputDir: './artifacts/workbench-tests',
  forbidOnly: !!process.env.CI,
  // Each worker has a page, a backend and a service of its own, which its tests use one after the other.
  workers: 2,
  timeout: 30_000,
  reporter: 'list',
  projects: [
    { name: 'React 19', use: { react: 19 } },
    { name: 'React 18', use: { react: 18 } },
  ],
  use: {
    viewport: { width: 1280, height: 1000 },
    screenshot: 'only-on-failure',
    launchOptions: installedChromium(),
  },
});
