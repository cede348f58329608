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

test('the runner of a task opens its page, and that of a task without one opens those of all', async ({
  createSource,
  page,
}) => {
  const { uid: source } = await createSource();
  const runners = page.getByTestId('data-testid Panel header All runners, last 30 days');
  const open = async (name: string | RegExp) => {
    await page.goto(`/d/insights-tasks?var-datasource=${source}`);
    const tasks = page.getByTestId('data-testid Panel header Waiting and running now');
    await tasks.getByRole('link', { name, exact: true }).first().click();
    await expect(page).toHaveURL(/\/d\/insights-runners/);
    await expect(runners.getByText('Count').locator('..')).toContainText(/\d$/, { timeout: 60_000 });
    return runners.getByRole('link', { name: /^runner-/ }).allInnerTexts();
  };
  const [runner, ...others] = await open(/^runner-/);
  expect(others).toEqual([]);
  await expect(page).toHaveURL(new RegExp(`var-machine=${runner}&`));
  expect((await open('–')).length).toBeGreaterThan(1);
  await expect(page).not.toHaveURL(/var-machine=(&|$)/);
});
