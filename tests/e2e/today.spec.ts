import { type Page } from '@playwright/test';

import { Boards, bundled } from './support/boards';
import { expect, test } from './support/test';

// Grafana only renders and queries visible panels: a tall window shows all of them at once.
test.use({ viewport: { width: 1280, height: 2400 } });

const board = bundled.find(({ uid }) => uid === 'insights-operations')!;
const byDeadline = ['Due', 'State'];
const panelOf = (page: Page, title: string) => page.getByTestId(`data-testid Panel header ${title}`);

/** A time of day in UTC, so many hours from now, as far as the day goes. */
function timeOfDay(hours: number): string {
  const minutes = new Date().getUTCHours() * 60 + new Date().getUTCMinutes() + hours * 60;
  const at = Math.min(Math.max(minutes, 1), 24 * 60 - 1);
  return [Math.floor(at / 60), at % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

test('Today shows what is due, in the order of time, before what only waits or runs', async ({
  createSource,
  page,
}) => {
  const deadlines = [
    { automation: 'stock-sync', by: timeOfDay(2), count: 500 },
    { automation: 'ghost', by: timeOfDay(-2) },
    { automation: 'stock-sync', by: timeOfDay(1) },
  ];
  const { uid: source } = await createSource({ jsonData: { deadlines } });
  const work = (await new Boards(page).open(board, { 'var-datasource': source })).get('Today’s work')!;
  const [header, ...rows] = work.rows;
  expect(header).toEqual(['Automation', ...byDeadline, 'Queued tasks', 'Work left', 'Done about']);
  const due = rows.filter((row) => row[header.indexOf('Due')] !== '–');
  expect(rows.slice(0, due.length)).toEqual(due);
  expect(due.map(([automation]) => automation)).toEqual(expect.arrayContaining(['ghost', 'stock-sync']));
  const [frame] = work.frames.A;
  const of = (name: string) => frame.data.values[frame.schema.fields.findIndex((field) => field.name === name)];
  expect(due.map(([automation]) => automation)).toEqual(of('activityLabel'));
  const states = {
    late: 'Late',
    done: 'Done',
    atRisk: 'At risk',
    running: 'Running',
    queued: 'Waiting',
    open: 'Not started',
  };
  expect(due.map((row) => row[header.indexOf('State')])).toEqual(
    of('state').map((state) => states[state as keyof typeof states])
  );
  expect(of('due')).toEqual([...of('due')].sort((a, b) => Number(a) - Number(b)));
  // The task that waits for a dead runner has no deadline here.
  expect(rows.slice(due.length).map(([automation]) => automation)).toContain('nota-fiscal-entrada');
});

test('Today says nothing about deadlines where none is set', async ({ createSource, page }) => {
  const { uid: source } = await createSource();
  const work = (await new Boards(page).open(board, { 'var-datasource': source })).get('Today’s work')!;
  expect(work.rows[0]).toEqual(['Automation', 'Queued tasks', 'Work left', 'Done about']);
  expect(work.rows.flat()).toContain('nota-fiscal-entrada');
  await expect(panelOf(page, 'Today’s work').getByTestId(/Panel status|header-notices/)).toHaveCount(0);

  const idle = { 'var-datasource': source, 'var-Filters': 'id|=|0' };
  const { rows } = (await new Boards(page).open(board, idle)).get('Today’s work')!;
  expect(rows).toEqual([['nothing is due, and nothing waits', 'Done about']]);
});

test('nothing is no error, and no missing answer', async ({ createSource, page }) => {
  test.setTimeout(180_000);
  const { uid: source } = await createSource();
  for (const uid of ['insights-automations', 'insights-runners', board.uid]) {
    const dashboard = bundled.find((one) => one.uid === uid)!;
    const shown = await new Boards(page).open(dashboard, { 'var-datasource': source, 'var-Filters': 'id|=|0' });
    await expect(page.getByTestId('data-testid Panel status error')).toHaveCount(0);
    expect(await page.locator('body').innerText()).not.toMatch(/no answer/i);
    if (uid === board.uid) {
      const done = expect.stringMatching(/^\w{3} \d\d:\d\d$/);
      expect(shown.get('Queue')!.lines).toEqual(['waiting', '0', 'longest', '–', 'done about', done]);
      expect(shown.get('Rate')!.lines).toEqual(['success', 'no tasks yet', '± points', '–']);
      expect(shown.get('Robots')!.rows).toEqual([['Runner', 'State', 'Since', 'No group matches the filters']]);
      expect(shown.get('What got worse (± vs ${compare:text})')!.rows).toEqual([['no tasks yet']]);
    } else if (uid === 'insights-automations') {
      const [{ title }, runners] = dashboard.panels;
      for (const { rows } of [shown.get(title)!, shown.get(runners.title)!]) {
        expect(rows.slice(1).map((row) => row.slice(0, 6))).toEqual([['Total', '–', '–', '0', '0', '0']]);
      }
    } else {
      expect(shown.get('All runners, last 30 days')!.rows).toEqual([['no tasks yet']]);
    }
    expect(await page.locator('body').innerText()).not.toMatch(/No result|Data does not/);
  }
});

test('the first screen says all that needs attention, of each robot what it does, and that the service answers', async ({
  createSource,
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const { uid: source } = await createSource();
  await page.goto(`/d/${board.uid}?var-datasource=${source}`);
  const rows = panelOf(page, 'Robots')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });
  await expect(rows).toHaveCount(8);
  await expect(rows.first()).toContainText(/^runner-\d+\s*Hung/);
  for (const row of await rows.all()) {
    await expect(row.getByRole('gridcell').first()).toBeInViewport({ ratio: 1 }); // A row has no box of its own.
    await expect(row).toContainText(/(Hung|Quiet|Idle|Working)\s*\d+ \w{3} \d\d:\d\d\s*\w/);
  }
  await expect(panelOf(page, 'Timeline of runners')).toBeInViewport();
  await expect(panelOf(page, 'Service')).toContainText(/answered\s*\d\d:\d\d:\d\d/);
  const severities = panelOf(page, 'Needs attention, most urgent first').getByText(/^(High|Medium|Low)$/);
  expect(await severities.count()).toBeGreaterThanOrEqual(5);
  for (const severity of await severities.all()) {
    await expect(severity).toBeInViewport({ ratio: 1 });
  }
});

test('the automations show which share of deadlines was met, and where none fell due', async ({
  createSource,
  page,
}) => {
  const automations = bundled.find(({ uid }) => uid === 'insights-automations')!;
  const [{ title }] = automations.panels;
  // It always fails: rows that are out of view are not drawn.
  const deadlines = [{ automation: 'contract-renewals', within: '1d' }];
  for (const setting of [deadlines, []]) {
    const { uid: source } = await createSource({ jsonData: { deadlines: setting } });
    const shown = await new Boards(page).open(automations, { 'var-datasource': source });
    const [header, ...rows] = shown.get(title)!.rows.filter(([automation]) => automation !== 'Total');
    const [rate, met] = ['Success rate of tasks', 'Deadlines met'].map((name) => header.indexOf(name));
    const shares = rows.filter((row) => row[met] !== 'none due').map(([automation]) => automation);
    expect(shares).toEqual(setting.map(({ automation }) => automation));
    const rates = rows.map((row) => parseFloat(row[rate])).filter((one) => !Number.isNaN(one));
    expect(rates).toEqual([...rates].sort((a, b) => a - b));
  }
});

test('each number of today opens the tasks that it counts', async ({ createSource, simulator, page }) => {
  test.setTimeout(300_000);
  await simulator.freeze();
  const { uid: source } = await createSource();
  const number = (text: string) => /[\d,]+/.exec(text)?.[0];
  // The state and the finish status of all tasks, and whether there are as many as the number says.
  const opened: Record<string, [states: RegExp, isCounted: boolean]> = {
    Failed: [/^(FINISHED FAILED|TIMEOUT –)$/, true],
    Rate: [/^(FINISHED \w+|TIMEOUT –)$/, false],
    Queue: [/^START –$/, false], // One may have started since.
  };
  for (const [title, [states, isCounted]] of Object.entries(opened)) {
    await page.goto(`/d/${board.uid}?var-datasource=${source}`);
    const link = panelOf(page, title).getByRole('link').first();
    await expect(link, title).toContainText(/\d/);
    const shown = number(await link.innerText());
    await link.click();
    const tasks = panelOf(page, 'Tasks of the time range');
    const count = tasks.getByText('Count').locator('..');
    await expect(count.or(tasks.getByText('Nothing to show, or no answer')), title).toContainText(/\d|Nothing/);
    if (isCounted) {
      await expect(count, title).toContainText(new RegExp(`\\D${shown}$`));
      await expect(panelOf(page, 'Waiting and running now').getByText('RUNNING').first(), title).toBeVisible();
    }
    const header = await tasks.getByRole('columnheader').allInnerTexts();
    const [state, status] = ['State', 'Finish status'].map((name) => header.indexOf(name));
    let seen = 0;
    for (const row of await tasks
      .getByRole('row')
      .filter({ has: page.getByRole('gridcell') })
      .all()) {
      const cells = await row.getByRole('gridcell').allInnerTexts();
      if (cells[state]) {
        seen++;
        expect(`${cells[state]} ${cells[status]}`, title).toMatch(states);
      }
    }
    expect(seen, title).toBeGreaterThanOrEqual(Number(!isCounted || shown !== '0'));
  }
});

test('a runner that needs attention opens its tasks, and what waits its own', async ({ createSource, page }) => {
  const { uid: source } = await createSource();
  const open = () => page.goto(`/d/${board.uid}?var-datasource=${source}`);
  await open();
  const cell = panelOf(page, 'Robots')
    .getByRole('link', { name: /^runner-/ })
    .first();
  let runner = '';
  // A table that is being drawn has links without a text.
  await expect(async () => expect((runner = await cell.innerText())).toMatch(/^runner-/)).toPass();
  await cell.click();
  await expect(page).toHaveURL(new RegExp(`/d/insights-tasks.*var-machine=${runner}&`));
  await expect(panelOf(page, 'Tasks of the time range').getByRole('link', { name: runner }).first()).toBeVisible();

  await open();
  await panelOf(page, 'Today’s work').getByRole('link', { name: 'nota-fiscal-entrada' }).click();
  await expect(page).toHaveURL(/\/d\/insights-tasks.*var-automation=nota-fiscal-entrada/);
  await expect(panelOf(page, 'Waiting and running now').getByText('START').first()).toBeVisible();
});
