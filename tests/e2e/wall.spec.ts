import { type Page } from '@playwright/test';

import { dashboardsIn } from '../../dashboards';
import { startSimulator } from '../../simulator';
import { tokens } from '../../simulator/session';
import { type Source } from './support/grafana';
import { reachable } from './support/simulator';
import { expect, key, test } from './support/test';

const { 'wall.json': wall } = dashboardsIn('en-US');
/** The numbers, which have their names in large type. */
const names = ['Queued', 'Longest wait', 'Running', 'Runners at work'];

test.use({ viewport: { width: 1920, height: 1080 } });

test('the wall can be shared as it is: everybody sees all panels, and nothing of the service', async ({
  api,
  baseURL,
  browser,
  provisioned,
  page,
}) => {
  test.setTimeout(180_000);
  const uid = await imported(page, provisioned);
  try {
    const shared = await page.request.post(`/api/dashboards/uid/${uid}/public-dashboards`, {
      data: { isEnabled: true, share: 'public' },
    });
    expect(shared.ok(), await shared.text()).toBe(true);
    const { accessToken } = (await shared.json()) as { accessToken: string };

    const anonymous = await browser.newContext({ baseURL, storageState: { cookies: [], origins: [] } });
    const everybody = await anonymous.newPage();
    await everybody.setViewportSize(page.viewportSize()!);
    const bodies: string[] = [];
    const failed: string[] = [];
    everybody.on('response', async (response) => {
      if (!/\.(js|css|woff2?|svg|png)(\?|$)/.test(response.url())) {
        bodies.push(`${response.url()} ${await response.text().catch(() => '')}`);
      }
      if (response.url().includes('/api/public/') && !response.ok()) {
        failed.push(`${response.status()} ${response.url()}`);
      }
    });
    await everybody.goto(`/public-dashboards/${accessToken}`);

    const panels = everybody.locator('[data-testid^="data-testid Panel header "]');
    await expect(panels).toHaveCount(wall.panels.length, { timeout: 60_000 });
    for (const name of names) {
      const panel = panels.filter({ hasText: name }).first();
      await expect(panel, name).toContainText(/\d|None/, { timeout: 60_000 });
    }
    await expect(panels.filter({ hasText: 'Look at this first' })).toContainText(/usually/);
    await expect(panels.filter({ hasText: 'Needs attention' })).toContainText(`${provisioned.name}`);
    await expect(panels.filter({ hasText: 'Needs attention' })).toContainText(/\d+\s*need attention/);
    await expect(panels.filter({ hasText: 'Runners' }).last().locator('canvas')).toBeVisible();
    await expect(everybody.getByText(/No result|no answer|Invalid panel|error/i)).toHaveCount(0);
    expect(failed).toEqual([]);

    const answers = bodies.filter((body) => /\/panels\/\d+\/query/.test(body));
    expect(answers.length).toBeGreaterThanOrEqual(wall.panels.length);
    const secrets = [key, new URL(provisioned.url).host, '/api/v1/insights', '/workspace/login'];
    for (const secret of secrets) {
      expect(
        bodies.filter((body) => body.includes(secret)).map((body) => body.slice(0, 120)),
        secret
      ).toEqual([]);
    }
    expect(bodies.filter((body) => body.includes('/api/') && tokens.test(body))).toEqual([]);
    await expectLargeType(everybody);
    await everybody.setViewportSize({ width: 1280, height: 900 });
    await expect(async () => expect(await everybody.evaluate(readOverlaps)).toEqual([])).toPass();
    await anonymous.close();
  } finally {
    await api.deleteDashboard(uid);
  }
});

test('the wall claims nothing of a service that does not answer, and says of one without tasks that it has none', async ({
  api,
  createSource,
  page,
}) => {
  test.skip(!process.env.INCIDENTS_HOST, 'INCIDENTS_HOST is not set: Grafana must reach the service of this test');
  const simulator = await startSimulator({ tasksPerDay: 0, host: '0.0.0.0' });
  const urls = [reachable(simulator.url), 'http://127.0.0.1:9'];
  const walls: string[] = [];
  for (const url of urls) {
    walls.push(await imported(page, await createSource({ url, jsonData: { timeout: 5 } })));
  }
  const [idle, down] = walls;
  const tiles = page.locator('[data-testid^="data-testid Panel header "]');
  const open = async (uid: string, values: RegExp[]) => {
    await page.goto(`/d/${uid}?kiosk`);
    // A name is there before its number, and a panel before its texts.
    await expect(async () => {
      const texts = (await page.evaluate(readNumbers)).map(({ text }) => text);
      expect(texts).toEqual(values.map((value) => expect.stringMatching(value)));
    }).toPass({ timeout: 60_000 });
    return page.evaluate(readNumbers);
  };
  try {
    const idleNumbers = await open(idle, [/^0$/, /^None$/, /^0$/, /^0$/]);
    await expect(tiles.getByText(/No (tasks yet|result)/), 'it says so once').toHaveCount(1);
    await expect(tiles.getByText('No tasks yet', { exact: true })).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 900 }); // A laptop
    const unanswered = await open(
      down,
      names.map(() => /^No answer since \d\d:\d\d$/)
    );
    await expect(tiles.filter({ hasText: 'Needs attention' }).getByText(/No answer/)).toHaveCount(1);
    for (const name of names) {
      await expect(tiles.getByText(name, { exact: true }).last(), 'a tile keeps its name').toBeVisible();
    }
    const colors = [...idleNumbers, ...unanswered].map(({ color }) => color);
    expect(new Set(colors).size, 'no color that means something').toBe(1);
    expect(unanswered.filter(({ isCut }) => isCut)).toEqual([]);
  } finally {
    await Promise.all(walls.map((uid) => api.deleteDashboard(uid)));
    await simulator.close();
  }
});

/** The large texts of the numbers, without their names. Runs in the page. */
function readNumbers() {
  const panels = [...document.querySelectorAll('[data-testid^="data-testid Panel header "]')].slice(1, 5);
  return panels.map((panel) => {
    const texts = [...panel.querySelectorAll('span')].filter(({ innerText }) => innerText.trim());
    const size = (element: Element) => parseFloat(getComputedStyle(element).fontSize);
    const value = texts.reduce((one, other) => (size(other) > size(one) ? other : one));
    const [outer, inner] = [panel, value].map((element) => element.getBoundingClientRect());
    return {
      text: value.innerText.trim(),
      color: getComputedStyle(value).color,
      isCut:
        inner.left < outer.left || inner.right > outer.right || inner.top < outer.top || inner.bottom > outer.bottom,
    };
  });
}

/** The sentences of Look at this first that reach into the next one, or out of the panel. Runs in the page. */
function readOverlaps() {
  const panel = document.querySelector('[data-testid="data-testid Panel header Look at this first"]')!;
  const parts = [...panel.querySelectorAll('[data-testid="data-testid panel content"] *')] as HTMLElement[];
  const shown = parts.filter(({ children, innerText }) => children.length === 0 && innerText.trim());
  const bottoms = shown.map((text) => text.getBoundingClientRect().bottom);
  const limits = [
    ...shown.slice(1).map((text) => text.getBoundingClientRect().top),
    panel.getBoundingClientRect().bottom,
  ];
  const isOver = (_: unknown, index: number) => bottoms[index] > limits[index] + 1;
  return shown.length < 6 ? ['nothing to read'] : shown.map(({ innerText }) => innerText).filter(isOver);
}

/** Imports the dashboards on the page of a data source, as an administrator does, and returns the UID of its wall. */
async function imported(page: Page, { uid, name }: Source): Promise<string> {
  await page.goto(`/connections/datasources/edit/${uid}`);
  await page.getByRole('button', { name: 'Import dashboards' }).click();
  await expect(page.getByText(/imported (\d) of \1/)).toBeVisible();
  await page.goto(`/d/insights-wall-${uid}`);
  await expect(page).toHaveTitle(new RegExp(`Insights wall: ${name}`));
  return `insights-wall-${uid}`;
}

/** At five metres, a digit of 60 px on a screen of 55 inches is about as large as a line of print in the hand. */
async function expectLargeType(page: Page) {
  const sizes = await page.evaluate(() =>
    [...document.querySelectorAll('[data-testid^="data-testid Panel header "] span')]
      .filter((element) => /^\d+$/.test((element as HTMLElement).innerText.trim()))
      .map((element) => parseFloat(getComputedStyle(element).fontSize))
  );
  expect(Math.max(...sizes)).toBeGreaterThanOrEqual(60);
  const overflows = await page.evaluate(() => document.documentElement.scrollHeight > window.innerHeight);
  expect(overflows, 'fits on the screen').toBe(false);
}
