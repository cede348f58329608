import { defineConfig } from '@playwright/test';
import { installedChromium } from './tests/chromium';
import type { WorkbenchOptions } from './tests/workbench/fixtures';

/** Browser tests of the workbench: they need the built plugin and a Chromium, and no Grafana (those are in tests/e2e). */
export default defineConfig<object, WorkbenchOptions>({
  testDir: './tests/workbench',
  outputDir: './artifacts/workbench-tests',
  forbidOnly: !!process.env.CI,
  // One page, one backend and one service for all tests: they run one after the other.
  workers: 1,
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
