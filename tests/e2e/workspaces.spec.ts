import { dashboardsIn } from '../../dashboards';
import { startSimulator } from '../../simulator';
import { Client } from '../../simulator/testing';
import { measures, tasksOf } from './support/rows';
import { reachable } from './support/simulator';
import { expect, test } from './support/test';

const { 'workspaces.json': board } = dashboardsIn('en-US');
const DAY = 86_400_000;

/** What a row of the table says of a workspace, from the rows of its own service. */
async function expectedRow(url: string, now: number, concerns: string[], wait: string): Promise<string[]> {
  const client = new Client(url);
  await client.login();
  const all = await tasksOf(client, 40);
  const between = (from: number, to: number) => all.filter(({ dateCreation: at }) => from <= at && at <= to);
  const recent = between(now - 7 * DAY, now);
  const [tasks, before] = [between(now - DAY, now), between(now - 8 * DAY, now - 7 * DAY)];
  const queued = recent.filter(({ state }) => state === 'START');
  // Frozen tasks still age until the table asks.
  const since = Math.min(...queued.map(({ dateCreation }) => dateCreation));
  const [asked, answered] = [now, Date.now()].map((at) => Math.floor((at - since) / 1000));
  const ages = Array.from({ length: answered - asked + 1 }, (_, second) => waited(asked + second));
  const oldest = queued.length > 0 ? ages : ['–'];
  const count = (value: number) => Math.round(value).toLocaleString('en-US');
  const percent = (value: number) => `${(Math.round(value * 1000) / 10).toFixed(1)}%`;
  const [rate, rateBefore] = [measures.successRate(tasks)!, measures.successRate(before)!];
  return [
    ...concerns,
    count(queued.length),
    oldest.includes(wait) ? wait : `${oldest[0]} to ${oldest.at(-1)}`,
    count(recent.filter(({ state }) => state === 'RUNNING').length),
    count(tasks.length),
    percent(rate),
    rate === rateBefore ? '–' : ((rate - rateBefore) * 100).toFixed(1),
    count(measures.failedTasks(tasks)),
  ];
}

/** Grafana's unit of durations in days, hours, minutes, and seconds. */
function waited(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  return `${days > 0 ? `${days} d ` : ''}${new Date(seconds * 1000).toISOString().slice(11, 19)}`;
}

test.use({ viewport: { width: 1920, height: 1200 } });

test('every number of a workspace is that of its own service, and its row leads to it', async ({
  api,
  createSource,
  page,
}) => {
  test.skip(!process.env.INCIDENTS_HOST, 'INCIDENTS_HOST is not set: Grafana must reach the services of this test');
  test.setTimeout(300_000);
  // Frozen worlds of different seeds. Two are of one organization.
  const frozen = new Date().toISOString();
  const worlds = [
    { organization: 'north', seed: 11, tasksPerDay: 300 },
    { organization: 'north', seed: 22, tasksPerDay: 200, automations: 9, runners: 5 },
    { organization: 'south', seed: 33, tasksPerDay: 100, automations: 5, runners: 3 },
  ];
  const simulators = await Promise.all(
    worlds.map((world) => startSimulator({ frozen, historyDays: 40, host: '0.0.0.0', ...world }))
  );
  try {
    const urls = simulators.map(({ url }) => reachable(url));
    const sources = await Promise.all(
      urls.map((url, index) => createSource({ url, jsonData: { currency: ['EUR', 'USD', 'USD'][index] } }))
    );
    const down = await createSource({ url: 'http://127.0.0.1:9', jsonData: { timeout: 5 } });
    const rejected = await createSource({ url: urls[0], secureJsonData: { key: 'another' } });
    const failing = [down, rejected];
    const parameters = new URLSearchParams([...sources, ...failing].map(({ uid }) => ['var-workspaces', uid]));
    let to = 0;
    page.on('request', (request) => {
      if (to === 0 && request.url().includes('/api/ds/query')) {
        to = Number((request.postDataJSON() as { to: string }).to);
      }
    });
    await page.goto(`/d/${board.uid}?${parameters}`);
    const table = page.getByTestId('data-testid Panel header Workspaces');
    const rows = table.getByRole('row');
    await expect(rows).toHaveCount(1 + sources.length + failing.length, { timeout: 120_000 });
    const cells = async (index: number) =>
      (await rows.nth(index).getByRole('gridcell').allInnerTexts()).map((text) => text.trim());

    const read = async (index: number): Promise<[string, string[]]> => {
      const [name, ...values] = await cells(index);
      return [name, values];
    };
    const unanswered = new Map(await Promise.all(failing.map((_, index) => read(1 + index))));
    for (const { name } of failing) {
      const [organization, since, ...numbers] = unanswered.get(name) ?? [];
      expect(since, name).toMatch(name === down.name ? /^No answer since \d\d:\d\d$/ : /^No answer$/);
      expect([organization, ...numbers], 'nothing else is known').toEqual(Array<string>(11).fill('–'));
    }
    await table.getByTestId('data-testid Panel status error').hover();
    await expect(page.getByRole('tooltip')).toHaveText(new RegExp(`^(${failing.map(({ name }) => name).join('|')}): `));

    const shown = new Map(await Promise.all(sources.map((_, index) => read(1 + failing.length + index))));
    for (const [index, { name, uid }] of sources.entries()) {
      const { schema, data } = await api.query(uid, { queryType: 'tasks', format: 'attention' });
      const severities = data.values[schema.fields.findIndex((field) => field.name === 'severity')] ?? [];
      const worst = ['–', 'Low', 'Medium', 'High'][Math.max(0, ...severities.map(Number))];
      const [organization, silent, answered, ...numbers] = shown.get(name) ?? [];
      expect([organization, silent], name).toEqual([worlds[index].organization, '']);
      expect(answered, name).toMatch(/^\d\d:\d\d:\d\d$/);
      expect(numbers, name).toEqual(
        await expectedRow(simulators[index].url, to, [worst, String(severities.length)], numbers[3])
      );
    }
    const urgent = [...shown.values()].map(([, , , worst, count]) => [
      ['Low', 'Medium', 'High'].indexOf(worst),
      Number(count),
    ]);
    expect(urgent, 'the worst first').toEqual([...urgent].sort(([a, n], [b, m]) => b - a || m - n));
    const concernsOf = page.getByTestId('data-testid Panel header Needs attention in all workspaces').getByRole('row');
    for (const { name } of failing) {
      await expect(concernsOf.filter({ hasText: name }), 'one row says that it does not answer').toHaveCount(1);
    }
    await expect(concernsOf.filter({ hasText: sources[0].name }).first(), 'beside those that do').toBeVisible();
    const saved = page.getByTestId('data-testid Panel header Savings by workspace');
    for (const { name, jsonData } of sources) {
      const text = new RegExp(`${name}\\s*${jsonData.currency === 'EUR' ? '€' : 'US\\$'}[\\d.]+`);
      await expect(saved, 'each in its own currency').toContainText(text);
    }

    const lines = page.getByTestId('data-testid Panel header Success rate by workspace');
    for (const { name } of sources) {
      await expect(lines.getByRole('button', { name, exact: true })).toHaveCount(1);
    }

    await table.getByRole('link', { name: sources[1].name }).click({ position: { x: 5, y: 5 } });
    await page.waitForURL(/\/d\/insights-operations/);
    const opened = new URL(page.url()).searchParams;
    expect(opened.get('from')).toBe('now-24h');
    await expect(async () =>
      expect(new URL(page.url()).searchParams.get('var-datasource')).toBe(sources[1].uid)
    ).toPass();
    expect(new URL(page.url()).searchParams.get('var-compare')).toBe('week');
  } finally {
    await Promise.all(simulators.map((simulator) => simulator.close()));
  }
});

test('all workspaces without an answer say so', async ({ createSource, page }) => {
  const down = await Promise.all(
    [1, 2].map(() => createSource({ url: 'http://127.0.0.1:9', jsonData: { timeout: 5 } }))
  );
  await page.goto(`/d/${board.uid}?${new URLSearchParams(down.map(({ uid }) => ['var-workspaces', uid]))}`);
  const table = page.getByTestId('data-testid Panel header Workspaces');
  for (const { name } of down) {
    const row = table.getByRole('row').filter({ hasText: name });
    await expect(row.getByRole('gridcell').nth(1)).toHaveText(/^No answer since \d\d:\d\d$/);
    await expect(row.getByRole('gridcell')).toHaveText([name, /since/, ...Array<string>(9).fill('–')]);
    const concerns = page.getByTestId('data-testid Panel header Needs attention in all workspaces');
    const cells = concerns.getByRole('row').filter({ hasText: name }).getByRole('gridcell');
    await expect(cells).toHaveText([name, /since/]);
  }
});

test('a slow workspace keeps no others waiting, says how far it is, and is read to the end', async ({
  createSource,
  page,
}) => {
  test.skip(!process.env.INCIDENTS_HOST, 'INCIDENTS_HOST is not set: Grafana must reach the services of this test');
  test.setTimeout(600_000);
  const simulators = await Promise.all(
    [0, 2500].map((latency) => startSimulator({ host: '0.0.0.0', latency, historyDays: 40, tasksPerDay: 70 }))
  );
  try {
    const sources = await Promise.all(
      simulators.map(({ url }) => createSource({ url: reachable(url), jsonData: { pageSize: 20 } }))
    );
    const parameters = new URLSearchParams(sources.map(({ uid }) => ['var-workspaces', uid]));
    await page.goto(`/d/${board.uid}?${parameters}`);
    const rows = page.getByTestId('data-testid Panel header Workspaces').getByRole('row');
    const [fast, slow] = sources.map(({ name }) => rows.filter({ hasText: name }).getByRole('gridcell'));
    await expect(fast).toHaveCount(13, { timeout: 60_000 });
    await expect(slow.nth(2)).toHaveText(/^Still reading \(\d+\/\d+\)$/);
    await expect(async () => {
      const answered = page.waitForResponse(/api\/ds\/query/, { timeout: 60_000 });
      await page.getByTestId('data-testid RefreshPicker run button').click();
      await answered;
      await expect(slow.nth(8)).toHaveText(/^\d+$/, { timeout: 40_000 });
    }).toPass({ timeout: 300_000 });
  } finally {
    await Promise.all(simulators.map((simulator) => simulator.close()));
  }
});
