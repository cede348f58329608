import { type Page } from '@playwright/test';

import { dashboard, panel } from './support/dashboard';
import { expect, test } from './support/test';

const service = 'https://orchestrator.example.com';

/** The addresses to which a panel links, once it has some. */
async function addresses(page: Page, title: string): Promise<string[]> {
  const links = page.getByTestId(`data-testid Panel header ${title}`).locator(`a[href^="${service}"]`);
  await expect(links.first()).toBeVisible({ timeout: 60_000 });
  return links.evaluateAll((all) => [...new Set(all.map((link) => (link as HTMLAnchorElement).href))].sort());
}

test('cells and values link to the orchestrator', async ({ api, simulator, createSource, createDashboard, page }) => {
  await simulator.freeze();
  const { uid: source } = await createSource({
    jsonData: { taskUrl: `${service}/#/task/\${id}`, automationUrl: `${service}/automation?label=\${label}&tab=1` },
  });
  const names = await api.automationNames(source, 7);
  const automations = [...names.keys()].map((label) => `${service}/automation?label=${label}&tab=1`).sort();
  const uid = await createDashboard(
    dashboard(
      [
        panel(source, { columns: ['id'], limit: 1 }, { id: 1, title: 'Table' }),
        panel(
          source,
          { format: 'numeric', measure: 'tasks', groupBy: ['activityLabel'] },
          { id: 2, type: 'stat', title: 'Values' }
        ),
      ].map((made, index) => ({ ...made, gridPos: { x: 12 * index, y: 0, w: 12, h: 22 } }))
    )
  );
  await page.goto(`/d/${uid}`);
  expect((await addresses(page, 'Table')).join()).toMatch(/^https:\/\/orchestrator\.example\.com\/#\/task\/\d+$/);
  expect(await addresses(page, 'Values')).toEqual(automations);
});
