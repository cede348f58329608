import { defineConfig } from '@playwright/test';
import { installedChromium } from './tests/chromium';
import type { WorkbenchOptions } from './tests/workbench/fixtures';

const chromium = installedChromium();

/** Browser tests of the workbench. They need the built plugin and Chromium, but no Grafana (those are in tests/e2e). */
export default defineConfig<object, WorkbenchOptions>({
  testDir: './tests/workbench',
  outputDir: './artifacts/workbench-tests',
  forbidOnly: !!process.env.CI,
  // Each worker has its own page, backend, and service, which its tests use one at a time.
  workers: 2,
  // Other suites share the cores.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  projects: [
    // The path through both pages; Jest uses every editor with both versions. A second worker would bundle its page again.
    { name: 'React 18', use: { react: 18 }, grep: /without a mouse|version of React/, workers: 1 },
    { name: 'React 19', use: { react: 19 } },
  ],
  use: {
    screenshot: 'only-on-failure',
    // What is measured would still move after a key such as Page Down.
    launchOptions: { ...chromium, args: [...(chromium.args ?? []), '--disable-smooth-scrolling'] },
  },
});
