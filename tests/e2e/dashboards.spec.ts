import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { watchConsole } from './support/console';
import { expect, test } from './support/test';

interface Bundled {
  uid: string;
  title: string;
  panels: Array<{ type: string; title: string; collapsed?: boolean }>;
}

const folder = path.join(__dirname, '../../src/dashboards');
const bundled = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file): Bundled => JSON.parse(readFileSync(path.join(folder, file), 'utf8')));

// Grafana draws and asks for what is in view only: a tall window shows every panel at once.
test.use({ viewport: { width: 1280, height: 3600 } });

test('there are bundled dashboards', () => {
  expect(bundled.length).toBeGreaterThan(0);
});

for (const { uid, title, panels } of bundled) {
  test(`${title} opens without an error`, async ({ gotoDashboardPage, page }) => {
    const problems = watchConsole(page);
    const failed: string[] = [];
    page.on('response', async (response) => {
      if (response.url().includes('/api/ds/query') && !response.ok()) {
        failed.push(`${response.status()} ${response.request().postData()}`);
      }
    });
    const dashboardPage = await gotoDashboardPage({ uid });
    await dashboardPage.waitForPanelsQueriesToComplete({ timeout: 60_000 });

    for (const panel of panels.filter(({ type }) => type !== 'row')) {
      const shown = dashboardPage.getPanelByTitle(panel.title);
      await expect(shown.locator, panel.title).toBeVisible();
      await expect(shown.getErrorIcon(), panel.title).toBeHidden();
      await expect(shown.locator.getByText('Error loading'), panel.title).toBeHidden();
    }
    expect(failed).toEqual([]);
    expect(problems()).toEqual([]);
  });
}
