import { readFileSync } from 'node:fs';

import { type AutomationRecord } from '../../simulator/reports';
import { Client } from '../../simulator/testing';
import { dashboardsIn } from '../../dashboards';
import { Boards, bundled, type Shown } from './support/boards';
import { type Frame } from './support/query';
import { groups, measures, sum, type Task, tasksOf } from './support/rows';
import { expect, key, test } from './support/test';

// That frames are right, the tests over gRPC show. These compare what people read, after Grafana's transformations, with
// what the test computes from the service's own rows: one check for each kind of panel.

const DAY = 86_400_000;

// Grafana only renders the panels, rows, and columns that are visible.
test.use({ viewport: { width: 2000, height: 3400 }, timezoneId: 'UTC' });

test('the bundled dashboards show what follows from the rows of the service', async ({
  createSource,
  page,
  provisioned,
  simulator,
}) => {
  test.setTimeout(600_000);
  const now = Date.now();
  await simulator.freeze(new Date(now).toISOString());
  const { uid: source } = await createSource();
  const client = await signedIn(provisioned);
  const listed = await tasksOf(client, 35);
  const boards = new Boards(page);
  // workspaces.spec.ts is about several services.
  for (const board of bundled.filter(({ uid }) => uid in expected)) {
    // Totals are made up to now; tasks have times, so nothing moves into or out of this range meanwhile.
    const [days, range] =
      board.uid === 'insights-business-value'
        ? [7, { from: 'now-7d', to: 'now' }]
        : [1, { from: `${now - DAY}`, to: `${now}` }];
    const shown = await boards.open(board, { ...range, 'var-datasource': source, 'var-compare': 'week' });
    const totals = (await client.automations(`?filterBy=${days}&size=2000`)).content;
    const period = new Period(listed, totals, now, days);
    for (const [title, check] of Object.entries(expected[board.uid])) {
      expect.soft(shown.has(title), title).toBe(true);
      for (const [what, actual, wanted] of check(period, shown.get(title)!, shown)) {
        expect.soft(rounded(actual), `${board.title}, ${title}, ${what}`).toEqual(rounded(wanted));
      }
    }
  }
});

/** A client of the service of a data source. */
async function signedIn({ url, jsonData }: { url: string; jsonData: { login?: string } }): Promise<Client> {
  const client = new Client(url);
  await client.login(jsonData.login ?? '', key);
  return client;
}

/** Sums depend on the order of their summands in the last digits. */
const rounded = (value: unknown) =>
  JSON.stringify(value, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(9)) : one));

/** The rows of a time range that ends now, and of the same time a week before. */
class Period {
  readonly tasks: Task[];
  readonly weekBefore: Task[];

  constructor(
    readonly listed: Task[],
    readonly totals: AutomationRecord[],
    readonly now: number,
    days: number
  ) {
    this.tasks = this.between(now - days * DAY, now);
    this.weekBefore = this.between(now - (days + 7) * DAY, now - 7 * DAY);
  }

  between(from: number, to: number): Task[] {
    return this.listed.filter(({ dateCreation: at }) => from <= at && at <= to);
  }

  inState(state: string): Task[] {
    return this.listed.filter((task) => task.state === state);
  }
}

type Compared = [what: string, actual: unknown, wanted: unknown];
type Check = (period: Period, shown: Shown, board: Map<string, Shown>) => Compared[];

// How Grafana writes values.
const count = (value: number | null) => value?.toLocaleString('en-US', { maximumFractionDigits: 0 }) ?? '–';
/** Savings without the setting Currency, whole. */
const money = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 0 });
/** Without zeros at the end. */
const decimal = (digits: number) => (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: digits });
const share = (digits: number) => (value: number | null) =>
  value === null ? '–' : `${(Math.round(value * 100 * 10 ** digits) / 10 ** digits).toFixed(digits)}%`;
const percent = (value: number) => `${Math.round(value * 100) || 0}%`;

const text =
  (wanted: (period: Period) => string[]): Check =>
  (period, { lines }) => [['text', lines, wanted(period)]];

type Measure = keyof typeof measures;

/** A number of the time range, with its change. */
const changed = (name: string, measure: Measure, format: (value: number | null) => string = count): Check =>
  text(({ tasks, weekBefore }) => {
    const [value, before] = [measures[measure](tasks), measures[measure](weekBefore)];
    return [name, format(value), 'vs previous week', value === null || !before ? '–' : percent(value / before - 1)];
  });

/** A number of the time range, with its difference. */
const different = (name: string, measure: Measure): Check =>
  text(({ tasks, weekBefore }) => {
    const [value, before] = [measures[measure](tasks), measures[measure](weekBefore)];
    return [name, count(value), 'vs previous week', count(value! - before!)];
  });

/** A share of the time range, with its difference in percentage points. */
const inPoints = (name: string, measure: Measure): Check =>
  text(({ tasks, weekBefore }) => {
    const [value, before] = [measures[measure](tasks)!, measures[measure](weekBefore)!];
    return [name, share(1)(value), '± points', ((value - before) * 100).toFixed(1)];
  });

/** (Σ savings − Σ investment) ÷ Σ investment, of those whose savings and ROI tell the investment. */
function returnOf(totals: AutomationRecord[]): number | null {
  const known = totals.flatMap(({ savings, roi }) => {
    const investment = (savings ?? 0) / (1 + (roi ?? 0));
    return investment > 0 && Number.isFinite(investment) ? [[savings ?? 0, investment]] : [];
  });
  const [saved, invested] = [0, 1].map((at) => sum(known.map((pair) => pair[at])));
  return invested > 0 ? (saved - invested) / invested : null;
}

/** How many seconds tasks have run until a time: one that runs goes on. */
function hoursRun(tasks: Task[], until: number): number {
  const ran = tasks.map(({ dateStartRunning: start, dateLastModified: end, state }) =>
    start === null ? 0 : Math.max(0, (state === 'RUNNING' ? until : (end ?? start)) - start)
  );
  return Math.floor(sum(ran) / 1000);
}

/** The seconds of a text of days, hours, minutes, and seconds: 1 d 01:12:04. */
function seconds(text: string): number {
  const [, days = 0, clock] = /^(?:(\d+) d )?([\d:]+)$/.exec(text)!;
  return Number(days) * 86_400 + clock.split(':').reduce((total, part) => 60 * total + Number(part), 0);
}

/** The values of the last row of a table, which may not be in view. */
const lastOf = ({ frames: { A } }: Shown) => A[0].data.values.map((column) => column.at(-1));

const columns = { tasks: 'Tasks', processedItems: 'Processed items', failedItems: 'Failed items' };

/** What a table of work shows of each value of a key, and of all tasks. */
function workBy(
  tasks: Task[],
  key: (task: Task) => string,
  shown: Shown,
  by: string,
  names: Array<keyof typeof columns>
): Compared[] {
  const numbers = (own: Task[]) => names.map((name) => measures[name](own));
  const own = groups(tasks, key);
  const listed = cells(shown, by, ...names.map((name) => columns[name]));
  const rows = listed.filter(([value]) => value !== 'Total');
  return [
    ['rows', rows, rows.map(([value]) => [value, ...numbers(own.get(value)!).map(count)])],
    ['all', lastOf(shown).slice(0, 1 + names.length), ['Total', ...numbers(tasks)]],
  ];
}

/** How many runners took some tasks. */
const runnersOf = (tasks: Task[]) => new Set(tasks.flatMap(({ machineId }) => machineId ?? [])).size;

/** The values of a field by those of another one. */
function pairs([{ schema, data }]: Frame[], by: string, name: string): Array<[unknown, unknown]> {
  const at = (field: string) => data.values[schema.fields.findIndex((one) => one.name === field)];
  return at(by).map((value, row) => [value, at(name)[row]]);
}

/** What a frame sums up to, null for nothing. */
const total = (frame: Frame, field = 1) => sum(frame.data.values[field].map((value) => Number(value ?? 0)));

/** Cells of the columns of a table, by their headers. */
function cells({ rows: [header, ...rows] }: Shown, ...columns: string[]): string[][] {
  return rows.map((row) => columns.map((column) => row[header.indexOf(column)]));
}

const ofAutomation = (tasks: Task[], label: string) =>
  tasks.filter(({ activityLabel }) => label === 'Total' || activityLabel === label);

/** What a table says of the success and the failures of automations, or of others, the lowest number of a column first. */
function changes(
  { tasks, weekBefore }: Pick<Period, 'tasks' | 'weekBefore'>,
  shown: Shown,
  first: string,
  by = 'Automation',
  key = ({ activityLabel }: Task): string | null => activityLabel
): Compared[] {
  const [own, earlier] = [tasks, weekBefore].map((all) => groups(all, key).set('Total', all));
  const columns = [by, 'Success rate of tasks', '± points', 'Failed tasks', '± failed', 'Tasks'];
  const actual = cells(shown, ...columns);
  const wanted = actual.map(([label]) => {
    const [now, before] = [own.get(label) ?? [], earlier.get(label) ?? []];
    const [rate, rateBefore] = [measures.successRate(now), measures.successRate(before)];
    return [
      label,
      share(1)(rate),
      rate === null || rateBefore === null ? '–' : ((rate - rateBefore) * 100).toFixed(1),
      count(measures.failedTasks(now)),
      count(measures.failedTasks(now) - measures.failedTasks(before)),
      count(now.length),
    ];
  });
  const numbers = cells(shown, by, first).flatMap(([label, text]) =>
    label === 'Total' || text === '–' ? [] : [parseFloat(text)]
  );
  return [
    ['rows', actual, wanted],
    ['order', numbers, [...numbers].sort((a, b) => a - b)],
  ];
}

const expected: Record<string, Record<string, Check>> = {
  'insights-operations': {
    'What got worse (± vs ${compare:text})': (period, shown) => changes(period, shown, '± points'),
    Queue: (period, { lines, frames: { A } }) => {
      const waiting = period.inState('START');
      const oldest = Math.min(...waiting.map(({ dateCreation }) => dateCreation));
      const seconds = Number(A[0].data.values[A[0].schema.fields.findIndex(({ name }) => name === 'oldestQueued')][0]);
      const isAge = period.now - oldest <= seconds * 1000 && seconds * 1000 <= Date.now() - oldest + 1_000;
      return [
        ['text', [...lines.slice(0, 3), lines[4]], ['waiting', count(waiting.length), 'longest', 'done about']],
        ['age', [/^(\d+ d )?\d\d:\d\d:\d\d$/.test(lines[3]), isAge], [true, true]], // Waiting goes on.
      ];
    },
    Service: ({ now }, { lines: [name, time], frames: { A } }) => {
      const at = Number(A[0].data.values[0][0]);
      return [['time', [name, time.length, now - 120_000 <= at && at <= Date.now()], ['answered', 8, true]]];
    },
    Failed: different('failed', 'failedTasks'),
    Rate: inPoints('success', 'successRate'),
    'Today’s work': (period, shown) => {
      const waiting = groups(period.inState('START'), ({ activityLabel }) => activityLabel);
      const actual = cells(shown, 'Automation', 'Queued tasks');
      const labels = actual.map(([label]) => label);
      const wanted = labels.map((label) => [label, waiting.has(label) ? count(waiting.get(label)!.length) : '–']);
      return [
        ['rows', actual, wanted],
        ['all that wait', [...waiting.keys()].filter((label) => !labels.includes(label)), []],
      ];
    },
    'Needs attention, most urgent first': (_, shown) => {
      const why = pairs(shown.frames.A, 'activityLabel', 'why');
      return [['sentences', cells(shown, 'Automation', 'Why'), why.slice(0, shown.rows.length - 1)]];
    },
    Robots: ({ listed }, { rows, frames: { A } }) => {
      const states = pairs(A, 'machineId', 'state');
      const runners = states.map(([runner]) => runner);
      const busy = states.flatMap(([runner, state]) => (['working', 'hung'].includes(String(state)) ? [runner] : []));
      return [
        ['rows', rows.slice(1).map(([runner]) => runner), runners.slice(0, rows.length - 1)],
        ['all runners', runners.length, runnersOf(listed)],
        ['run a task', busy.length, runnersOf(listed.filter(({ state }) => state === 'RUNNING'))],
      ];
    },
    'Tasks by status': ({ tasks }, { lines, frames: { A, B, C } }) => [
      [
        'tasks',
        sum([...A, ...B].flatMap((frame) => frame.schema.fields.slice(1).map((_, i) => total(frame, i + 1)))),
        tasks.length,
      ],
      ['all tasks', total(C[0]), tasks.length],
      ['dashed line', lines.includes('previous week'), true],
    ],
    'Timeline of runners': ({ listed, now }, { frames: { A } }) => [
      [
        'bars',
        // The lane of a runner without a task has no bar.
        A.flatMap(({ data: { values } }) => values[2]).filter((bar) => bar !== null).length,
        listed.filter(
          ({ dateStartRunning: start, dateLastModified: end, state }) =>
            start !== null && start <= now && (state === 'RUNNING' || (end ?? 0) >= now - DAY)
        ).length,
      ],
    ],
  },

  'insights-automations': {
    'Automations, lowest success rate first (± vs ${compare:text})': (period, shown) => {
      const more = cells(shown, 'Automation').map(([label]) => {
        const [now, before] = [period.tasks, period.weekBefore].map((all) => ofAutomation(all, label).length);
        return [before > 0 ? percent(now / before - 1) : '–'];
      });
      return [...changes(period, shown, 'Success rate of tasks'), ['± tasks', cells(shown, '± tasks'), more]];
    },
    'Runners, lowest success rate first (± vs ${compare:text})': (period, shown) => {
      const [tasks, weekBefore] = [period.tasks, period.weekBefore].map((all) => all.filter((task) => task.machineId));
      const own = changes({ tasks, weekBefore }, shown, 'Success rate of tasks', 'Runner', (task) => task.machineId);
      return [...own, ['runners, and all', shown.rows.length, 1 + runnersOf(tasks.concat(weekBefore)) + 1]];
    },
    Tasks: changed('created', 'tasks'),
  },

  'insights-business-value': {
    Savings: (period, { lines }) => {
      // The change is that of a time that the service has forgotten.
      const [saved, margin, , roi, fte] = lines.filter((_, index) => index % 2 === 1);
      const wanted = [
        money(sum(period.totals.map(({ savings }) => savings ?? 0))),
        '0 (exact)', // Whole days up to now.
        decimal(2)(returnOf(period.totals)!),
        decimal(1)(sum(period.totals.map((row) => row.fte ?? 0))),
      ];
      return [['savings, margin, ROI, FTE', [saved, margin, roi, fte], wanted]];
    },
    'Lost to failures': text(({ totals }) => {
      const known = totals.filter(({ sumItemsProcessed }) => sumItemsProcessed > 0);
      const lost = sum(known.map((row) => ((row.savings ?? 0) / row.sumItemsProcessed) * row.sumItemsError));
      return ['estimated', money(lost)];
    }),
    'Exact, from tasks': ({ tasks, now }, { lines }) => [
      [
        'text',
        lines.slice(0, 5),
        ['Tasks', count(tasks.length), 'processed items', count(measures.processedItems(tasks)), 'run time'],
      ],
      [
        'run time',
        [hoursRun(tasks, now) <= seconds(lines[5]), seconds(lines[5]) <= hoursRun(tasks, Date.now())],
        [true, true],
      ],
    ],
    'Savings by automation': ({ totals }, shown) => {
      const numbers = (own: AutomationRecord[], roi: number | null) => [
        ...[money(sum(own.map(({ savings }) => savings ?? 0))), 'exact', decimal(2)(roi ?? 0)],
        decimal(2)(sum(own.map(({ fte }) => fte ?? 0))),
      ];
      const own = new Map(totals.map((row) => [row.label, numbers([row], row.roi)]));
      const listed = cells(shown, 'Automation', 'Savings', '± at most', 'ROI', 'FTE');
      const rows = listed.filter(([automation]) => automation !== 'Total');
      const [label, saved, , roi] = lastOf(shown);
      return [
        ['rows', rows, rows.map(([automation]) => [automation, ...own.get(automation)!])],
        ['all', [label, saved, roi], ['Total', sum(totals.map(({ savings }) => savings ?? 0)), returnOf(totals)]],
      ];
    },
    'Work by automation, from tasks': ({ tasks }, shown) =>
      workBy(tasks, ({ activityLabel }) => activityLabel, shown, 'Automation', [
        'tasks',
        'processedItems',
        'failedItems',
      ]),
    'Work by ${by:text}, from tasks': ({ tasks }, shown) =>
      workBy(tasks, ({ repositoryLabel }) => repositoryLabel, shown, 'Repository', ['tasks', 'processedItems']),
    'Lost to failures by automation, from the service’s sums': ({ totals }, shown) => {
      const own = new Map(totals.map((row) => [row.label, row]));
      const rows = cells(shown, 'Automation', 'Processed items', 'Failed items', 'Lost to failures');
      const wanted = rows.map(([label]) => {
        const { savings, sumItemsProcessed: processed, sumItemsError: failed } = own.get(label)!;
        return [label, count(processed), count(failed), money(((savings ?? 0) / processed) * failed)];
      });
      return [['rows', rows, wanted]];
    },
    'Savings per ${per:text} back from now': ({ totals }, { frames: { A } }) => [
      ['sum', total(A[0]), sum(totals.map(({ savings }) => savings ?? 0))],
    ],
    'Savings by ${by:text}': ({ totals }, { rows }) => {
      const sums = [...groups(totals, ({ repositoryLabel }) => repositoryLabel)].map(
        ([repository, own]) => [repository, sum(own.map(({ savings }) => savings ?? 0))] as const
      );
      const all = ['Total', sum(sums.map(([, saved]) => saved))] as const;
      const wanted = [...sums.sort(([, a], [, b]) => b - a), all].map(([name, saved]) => [name, money(saved)]);
      return [['rows', rows, [['Repository', 'Savings'], ...wanted]]];
    },
  },

  'insights-tasks': {
    'Why: what failures have in common (the service gives no reason)': ({ tasks }, shown) => {
      const rows = cells(shown, 'Automation', 'Runner', 'Failed tasks', 'Tasks', 'Success rate of tasks');
      const wanted = rows.map(([label, runner]) => {
        const own = ofAutomation(tasks, label).filter(({ machineId }) => (machineId ?? '–') === runner);
        const rate = measures.successRate(own);
        return [label, runner, count(measures.failedTasks(own)), count(own.length), share(0)(rate)];
      });
      return [['rows', rows, wanted]];
    },
    'Tasks of the time range': ({ tasks }, shown) => {
      const wanted = tasks.map(({ activityLabel, state, finishStatus }) => [activityLabel, state, finishStatus ?? '–']);
      return [['rows', cells(shown, 'Automation', 'State', 'Finish status'), wanted.slice(0, shown.rows.length - 1)]];
    },
  },

  'insights-runners': {
    'All runners, last 30 days': ({ listed, now }, shown) => {
      const lately = listed.filter(({ dateCreation }) => dateCreation >= now - 30 * DAY);
      const own = groups(lately, ({ machineId }) => machineId);
      const actual = cells(shown, 'Runner', 'Tasks', 'Failed tasks', 'Success rate of tasks');
      const numbers = (all: Task[]) => [
        count(all.length),
        count(measures.failedTasks(all)),
        share(0)(measures.successRate(all)),
      ];
      return [['rows', actual, actual.map(([id]) => [id, ...numbers(own.get(id)!)])]];
    },
    'Occupancy over time': (_, { frames: { A } }) => [
      [
        'no share above 1',
        A[0].data.values
          .slice(1)
          .flat()
          .every((value) => Number(value) >= 0 && Number(value) <= 1),
        true,
      ],
    ],
  },
};

test('the queue is that of now, if the time range is short or long, or ends later', async ({
  createSource,
  page,
  provisioned,
  simulator,
}) => {
  await simulator.freeze(new Date().toISOString());
  const { uid: source } = await createSource();
  const waiting = (await tasksOf(await signedIn(provisioned), 35)).filter(({ state }) => state === 'START');
  const board = bundled.find(({ uid }) => uid === 'insights-operations')!;
  for (const [from, to] of [
    ['now-5m', 'now'],
    ['now-30d', 'now'],
    ['now-24h', 'now+3h'],
  ]) {
    const { lines } = (await new Boards(page).open(board, { from, to, 'var-datasource': source })).get('Queue')!;
    expect(lines.slice(0, 2)).toEqual(['waiting', count(waiting.length)]);
  }
});

test('the dashboard of values says how far off a range that has ended may be, and nothing of the time after it', async ({
  createSource,
  page,
  provisioned,
  simulator,
}) => {
  const now = Date.now();
  await simulator.freeze(new Date(now).toISOString());
  const { uid: source } = await createSource();
  const client = await signedIn(provisioned);
  const windows = new Map<number, AutomationRecord[]>();
  for (const days of [15, 14, 8, 7]) {
    windows.set(days, (await client.automations(`?filterBy=${days}&size=2000`)).content);
  }
  /** What an automation, or all, did from some days ago until some days ago. */
  const between = (from: number, to: number, field: 'savings' | 'sumItemsProcessed' | 'sumItemsError', of?: string) => {
    const [longer, shorter] = [from, to].map((days) =>
      sum(windows.get(days)!.flatMap((row) => (of === undefined || row.label === of ? Number(row[field] ?? 0) : [])))
    );
    return longer - shorter;
  };
  const saved = (of?: string) => between(14, 7, 'savings', of);
  const margin = (of?: string) =>
    Math.max(between(15, 7, 'savings', of) - saved(of), saved(of) - between(14, 8, 'savings', of));
  /** An amount that ends with 50 cents is rounded as the order of its sum has it. */
  const rounded = (amount: number) =>
    expect.stringMatching(new RegExp(`^(${money(amount - 0.001)}|${money(amount + 0.001)})$`));
  const board = bundled.find(({ uid }) => uid === 'insights-business-value')!;
  const boards = new Boards(page);
  for (const hours of [0, 9.6]) {
    // The service's days do not end when this range does, not even by a moment.
    const [from, to] = [14, 7].map((days) => `${now - days * DAY - hours * 3_600_000}`);
    const shown = await boards.open(board, { from, to, 'var-datasource': source });
    const { lines } = shown.get('Savings')!;
    expect(lines.slice(0, 4)).toEqual([
      expect.stringMatching(hours === 0 ? /^Savings$/ : /^Savings \(≈ \d.* – \d.*\)$/),
      rounded(saved()),
      '± at most',
      rounded(margin()),
    ]);
    expect(lines.slice(6)).toEqual(['ROI until now', '–', 'FTE until now', '–']);
    expect(money(total(shown.get('Savings per ${per:text} back from now')!.frames.A[0]))).toEqual(rounded(saved()));
    const rows = cells(shown.get('Savings by automation')!, 'Automation', 'Savings', '± at most', 'ROI', 'FTE');
    const of = (label: string) => (label === 'Total' ? undefined : label);
    expect(rows).toEqual(
      rows.map(([label]) => [label, rounded(saved(of(label))), rounded(margin(of(label))), '–', '–'])
    );
    const [label, all, of7] = lastOf(shown.get('Savings by automation')!);
    expect([label, money(Number(all)), money(Number(of7))]).toEqual(['Total', rounded(saved()), rounded(margin())]);
    const lost = windows.get(15)!.map(({ label }) => {
      const [processed, failed] = [between(14, 7, 'sumItemsProcessed', label), between(14, 7, 'sumItemsError', label)];
      return processed > 0 ? (saved(label) / processed) * failed : 0;
    });
    expect(shown.get('Lost to failures')!.lines).toEqual(['estimated', rounded(sum(lost))]);
  }
});

test('what a table of values shows is in the CSV of its inspector, with the row of all', async ({
  createSource,
  gotoDashboardPage,
  page,
  simulator,
}) => {
  await simulator.freeze(new Date().toISOString());
  const { uid: source } = await createSource({ jsonData: { currency: 'BRL' } });
  const board = bundled.find(({ uid }) => uid === 'insights-business-value')!;
  const parameters = { from: `${Date.now() - 14.4 * DAY}`, to: `${Date.now() - 7.4 * DAY}`, 'var-datasource': source };
  const { rows, frames } = (await new Boards(page).open(board, parameters)).get('Savings by automation')!;

  const dashboardPage = await gotoDashboardPage({ uid: board.uid, queryParams: new URLSearchParams(parameters) });
  const panel = dashboardPage.getPanelByTitle('Savings by automation');
  await expect(panel.data).not.toHaveCount(0);
  await panel.locator.hover();
  await panel.clickOnMenuItem('Data', { parentItem: 'Inspect' });
  const download = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Download CSV' }).click();
  const records = readFileSync(await (await download).path(), 'utf8')
    .replace(/^\ufeff/, '')
    .trim()
    .split(/\r?\n/)
    .map((record) =>
      [...record.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain]) => quoted ?? plain)
    );
  expect(records[0]).toEqual(['Automation', 'Savings', '± at most', 'ROI', 'FTE']);
  expect(records).toHaveLength(1 + frames.A[0].data.values[0].length);
  expect(records.slice(0, rows.length).map((record) => record.slice(0, 3))).toEqual(rows.map((row) => row.slice(0, 3)));
  expect(records.at(-1)!.slice(0, 2)).toEqual(['Total', expect.stringMatching(/^R\$\d{1,3}(,\d{3})*$/)]);
});

test('dashboards imported in Portuguese show nothing in English', async ({ createSource, page }) => {
  test.setTimeout(300_000);
  const { uid: source } = await createSource({ jsonData: { names: 'pt-BR' } });
  // history.spec.ts is about the one of Prometheus, which may not be there.
  const provisionable = Object.entries(dashboardsIn('pt-BR')).filter(
    ([file, dashboard]) => !dashboard.__inputs && file !== 'history.json'
  );
  for (const [, dashboard] of provisionable) {
    const imported = await page.request.post('/api/dashboards/db', { data: { dashboard, overwrite: true } });
    expect(imported.ok(), await imported.text()).toBe(true);
    const shown = await new Boards(page).open(dashboard, { 'var-datasource': source, 'var-workspaces': source });
    const words = [...shown].flatMap(
      ([
        title,
        {
          lines,
          rows: [header = []],
        },
      ]) => [title, ...lines, ...header]
    );
    expect(words.join('\n')).not.toMatch(
      /\b(Tasks|Automation|Failed|Success|Savings|Duration|Why|Severity|No result)\b/
    );
    await page.request.delete(`/api/dashboards/uid/${dashboard.uid}`);
  }
});
