import { type Page } from '@playwright/test';

import { dashboard, panel, sourceRef } from './support/dashboard';
import { type Simulator } from './support/simulator';
import { expect, test as base } from './support/test';

const days = 13;
/** What the service is asked for: the days of the range, and one more. */
const asked = days + 1;
const time = { from: `now-${days}d`, to: 'now' };
const titles = ['Rows', 'Line', 'Number'];

/** The UID of a data source whose pages have 20 rows and arrive after 400 ms, and which keeps none of them. */
const test = base.extend<{ slow: string }>({
  slow: async ({ simulator, createSource }, provide) => {
    await simulator.freeze();
    await simulator.setFault({ route: 'tasks', kind: 'delay', delayMs: 400 });
    await provide((await createSource({ jsonData: { pageSize: 0, cacheTTL: 0 } })).uid);
  },
});

const panelOf = (page: Page, title: string) => page.getByTestId(`data-testid Panel header ${title}`);
const cancelButton = (page: Page) => page.getByRole('button', { name: 'Cancel', exact: true });

test.describe('requests to the service stop within a second', () => {
  const stops: Array<[string, (page: Page) => Promise<void>]> = [
    ['Cancel', (page) => cancelButton(page).click()],
    ['leaving the dashboard', (page) => page.getByRole('link', { name: 'Dashboards', exact: true }).first().click()],
    ['a new time range', changeRange],
  ];

  for (const [name, stop] of stops) {
    test(`after ${name}`, async ({ slow, createDashboard, page, simulator }) => {
      const uid = await createDashboard(board(slow));
      await page.goto(`/d/${uid}`);
      await expectStopped(page, simulator, stop);
    });
  }

  test('after Cancel in Explore', async ({ slow, page, simulator }) => {
    const queries = [{ refId: 'A', datasource: sourceRef(slow), queryType: 'tasks' }];
    const panes = JSON.stringify({ a: { datasource: slow, queries, range: time } });
    await page.goto(`/explore?schemaVersion=1&orgId=1&panes=${encodeURIComponent(panes)}`);
    await expectStopped(page, simulator, (page) => cancelButton(page).click());
  });
});

test('a panel shows nothing before its answer, and keeps it during a refresh', async ({
  slow,
  createDashboard,
  page,
  simulator,
}) => {
  const uid = await createDashboard(board(slow));
  await page.goto(`/d/${uid}`);
  await expect.poll(async () => (await simulator.requests(asked)).length).toBeGreaterThan(10);
  await expect(cancelButton(page)).toBeVisible();
  for (const title of titles) {
    await expect(panelOf(page, title)).toHaveText(title);
  }

  await simulator.clearFaults();
  const number = panelOf(page, 'Number');
  await expect(number).toContainText(/\d{3}/, { timeout: 60_000 });
  await expect(cancelButton(page)).toHaveCount(0, { timeout: 60_000 });
  const answer = await number.innerText();

  await simulator.setFault({ route: 'tasks', kind: 'delay', delayMs: 400 });
  await page.getByTestId('data-testid RefreshPicker run button').click();
  await expect(cancelButton(page)).toBeVisible();
  expect(await number.innerText()).toBe(answer);
  await cancelButton(page).click();
  expect(await number.innerText()).toBe(answer);
});

function board(source: string) {
  return dashboard(
    [
      panel(source, { columns: ['id', 'state'] }, { id: 1, title: 'Rows' }),
      panel(source, { format: 'timeseries', measure: 'tasks' }, { id: 2, title: 'Line', type: 'timeseries' }),
      panel(source, { format: 'numeric', measure: 'tasks' }, { id: 3, title: 'Number', type: 'stat' }),
    ],
    { time }
  );
}

async function changeRange(page: Page) {
  await page.getByTestId('data-testid TimePicker Open Button').click();
  await page.getByText('Last 5 minutes', { exact: true }).click();
}

/** Acts in the middle of a read of more than 200 pages. */
async function expectStopped(page: Page, simulator: Simulator, stop: (page: Page) => Promise<void>) {
  await expect.poll(async () => (await simulator.requests(asked)).length).toBeGreaterThan(10);
  await stop(page);
  const stopped = Date.now();
  // Without the cancellation, the service would get 20 requests a second.
  await page.waitForTimeout(3_000);
  const requests = await simulator.requests(asked);
  expect(requests.filter(({ at }) => Date.parse(at) > stopped + 1_000)).toEqual([]);
  expect(requests.filter(({ aborted, status }) => !aborted && status === null)).toEqual([]);
  expect(requests.length).toBeLessThan(200);
}
