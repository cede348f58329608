import { type AutomationRecord, type RunnerRecord } from '../../simulator/reports';
import { Boards, bundled, type Shown } from './support/boards';
import { type Frame } from './support/query';
import {
  concurrency,
  mean,
  measures,
  occupancy,
  sinceLastSuccess,
  sinceLastTask,
  sum,
  type TaskRow as Task,
} from '../../workbench/reference';
import { compare, DAY, Listed, listTasks } from './support/listed';
import { type Simulator } from './support/simulator';
import { expect, key, test } from './support/test';

// Each value that the bundled dashboards show is compared with what the test computes from the service's own rows.
// Stats, bar gauges, legends, and tables are read as text; what is drawn on a canvas, from the frames that it is drawn
// from. What is expected doesn't depend on the user's language, so the screens of all languages are the same.

const ranges = [
  ['now-1h', 'now'],
  ['now-24h', 'now'],
  ['now-7d', 'now'],
  ['now-1M/M', 'now-1M/M'],
] as const;

// Grafana only renders the panels, rows, and columns that are visible. Days are those of the browser's time zone.
test.use({ viewport: { width: 2000, height: 4200 }, timezoneId: 'UTC' });

for (const language of ['en-US', 'pt-BR']) {
  test(`the bundled dashboards show the sums of the service's rows to a user of ${language}`, async ({
    api,
    createSource,
    page,
    provisioned,
    simulator,
  }) => {
    test.setTimeout(1_200_000);
    const user = { login: `e2e-values-${crypto.randomUUID()}`, password: crypto.randomUUID() };
    const id = await api.createUser(user);
    await page.context().clearCookies();
    await page.request.post('/login', { data: { user: user.login, password: user.password } });
    await page.request.patch('/api/user/preferences', { data: { language } });

    const frozen = new Date();
    await simulator.freeze(frozen.toISOString());
    // Some tasks in every hour that the panels look at, in every state.
    for (const secondsAgo of [20, 200, 700, 1_500, 5_000, 6_000]) {
      await simulator.addTasks(3, secondsAgo);
    }
    await alarm(
      simulator,
      await listTasks(provisioned.url, provisioned.jsonData.login ?? '', key, 30),
      frozen.getTime()
    );
    const { uid: source } = await createSource();
    const listed = await Listed.read(provisioned.url, provisioned.jsonData.login ?? '', key, frozen.getTime());
    const boards = new Boards(page);
    for (const board of bundled) {
      for (const [from, to] of ranges) {
        await test.step(`${board.title}, ${from} to ${to}`, async () => {
          const shown = await boards.open(board, { from, to, 'var-datasource': source });
          expect.soft([...shown.keys()].sort()).toEqual(Object.keys(expected[board.uid]).sort());
          for (const [title, panel] of shown) {
            expectPanel(`${title}, ${from} to ${to}`, panel, expected[board.uid][title], listed, from);
          }
        });
      }
    }
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await api.deleteUser(id);
  });
}

/**
 * Makes one automation of each kind that needs attention: with a stuck task, with nothing but failures, and quiet for
 * longer than ever. What the simulator restores in the end.
 */
async function alarm(simulator: Simulator, tasks: Task[], now: number) {
  const own = (label: string) => tasks.filter(({ activityLabel }) => activityLabel === label);
  const stuck = tasks.find(
    ({ dateCreation: created, dateStartRunning: started }) => started !== null && created < now - 4_000_000
  );
  await simulator.changeTask(stuck!.id, 'stick');
  const [failing, quiet] = ['customer-refunds', 'employee-onboarding'].filter(
    (label) => label !== stuck!.activityLabel
  );
  await simulator.setSuccessRate(failing, 0);
  const rows = own(quiet);
  const kept = rows.findIndex(
    ({ dateCreation: created }, index) => (now - created) / 1000 > (measures.gapMax(rows.slice(index)) ?? Infinity)
  );
  for (const { id } of rows.slice(0, Math.max(0, kept))) {
    await simulator.changeTask(id, 'remove');
  }
}

/** What a panel shows of a period. */
interface Expected {
  /** The lines of its text. */
  lines?: string[];
  /** The names of its legend or bars with their values, in any order. */
  pairs?: string[][];
  /**
   * A table: header, all its rows in their order, and the number below it, if any. Rows with the same value in the column
   * `sortedBy` are in any order, and so are those whose shares in the column `ascending` are rounded to the same.
   */
  table?: { header: string[]; rows: string[][]; count?: number; sortedBy?: number; ascending?: number };
  /** Values that are drawn on a canvas, as [name, actual, expected]. */
  drawn?: Array<[string, unknown, unknown]>;
}

type Panel = (period: Period, frames: Shown['frames']) => Expected;

function expectPanel(name: string, shown: Shown, panel: Panel, listed: Listed, from: string) {
  const expectedAt = (now: number) => panel(new Period(listed, shown, now, from.endsWith('/M')), shown.frames);
  expect.soft(differences(shown, momentsBetween(shown.asked, shown.answered).map(expectedAt)), name).toEqual([]);
}

/** Moments so close together that each whole second of an age is shown at one of them. */
function momentsBetween(asked: number, answered: number): number[] {
  const steps = Math.ceil((answered - asked) / 500);
  return [...Array.from({ length: steps }, (_, step) => asked + step * 500), answered];
}

/** Ages grow while an answer is on its way: it is right as of any moment between question and answer. */
function differences(shown: Shown, moments: Expected[]): string[] {
  const tables = moments.flatMap(({ table }) => table ?? []);
  const least = (of: (moment: Expected) => string[]) =>
    moments.map(of).reduce((one, other) => (other.length < one.length ? other : one));
  return [
    ...least(({ lines }) => (lines ? differ('text', shown.lines, lines) : [])),
    ...least(({ pairs }) => (pairs ? differ('pairs', inPairs(shown.lines), [...pairs].sort()) : [])),
    ...least(({ drawn = [] }) => drawn.flatMap(([what, actual, wanted]) => differ(what, actual, wanted))),
    ...(tables.length > 0 ? differInTable(shown, tables) : []),
  ];
}

type Table = NonNullable<Expected['table']>;

function differInTable(shown: Shown, moments: Table[]): string[] {
  const answered = moments[moments.length - 1];
  // Grafana shows milliseconds if the first and the last time of a column are less than a minute apart, or both missing.
  const rows = shown.rows.slice(1).map((row) => row.map((cell) => cell.replace(/(\d\d:\d\d:\d\d)\.\d{3}$/, '$1')));
  const ordered = (table: Table) =>
    table.ascending === undefined
      ? tiesSorted(table.rows, table.sortedBy).slice(0, Math.max(1, rows.length))
      : rows.map(([label]) => table.rows.find((row) => row[0] === label) ?? []);
  const [actual, expectedAt] = [tiesSorted(rows, answered.sortedBy), moments.map(ordered)];
  // Each of several ages can be as of another moment.
  const wanted = ordered(answered).map((row, y) =>
    row.map((cell, x) => expectedAt.map((table) => table[y]?.[x]).find((age) => age === actual[y]?.[x]) ?? cell)
  );
  const shares = rows.map((row) => parseFloat(row[answered.ascending ?? -1]) || 0);
  return [
    ...differ('header', shown.rows[0], answered.header),
    ...differ('rows', actual, wanted),
    ...differ(
      'order',
      shares,
      [...shares].sort((a, b) => a - b)
    ),
    ...(answered.count === undefined ? [] : differ('footer', /\d+/.exec(shown.footer)?.[0], `${answered.count}`)),
  ];
}

/** The rows, those with the same value in a column sorted by their first cell. */
function tiesSorted(rows: string[][], column?: number): string[][] {
  if (column === undefined) {
    return rows;
  }
  const place = new Map(rows.map((row, index) => [row[column], index]));
  return [...rows].sort((a, b) => place.get(a[column])! - place.get(b[column])! || compare(a[0], b[0]));
}

/** What differs: of lists, the first elements that do. */
function differ(what: string, actual: unknown, wanted: unknown): string[] {
  const [a, b] = [actual, wanted].map((value) => JSON.stringify(value, rounded));
  if (a === b) {
    return [];
  }
  if (Array.isArray(actual) && Array.isArray(wanted) && actual.length === wanted.length) {
    return actual.flatMap((value, index) => differ(`${what}[${index}]`, value, wanted[index])).slice(0, 3);
  }
  return [`${what}: shows ${a}, expected ${b}`];
}

/** Sums depend on the order of their summands in the last digits. */
const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value);

const inPairs = (lines: string[]) =>
  lines.flatMap((line, index) => (index % 2 === 0 ? [[line, lines[index + 1] ?? '']] : [])).sort();

/** Totals of automations that add up over time. */
type Additive = 'savings' | 'taskCount' | 'sumItems' | 'sumItemsError';

const WEEK = 7 * DAY;

/** The rows of the service that belong to the time range of a panel, and to the period before. */
class Period {
  readonly from: number;
  readonly to: number;
  /** The days that the service is asked to look back. */
  readonly days: number;
  readonly tasks: Task[];
  /** The tasks of the same time a week before; undefined if the service may have forgotten some. */
  readonly weekBefore: Task[] | undefined;
  readonly names: Map<string, string>;
  readonly labels: string[];
  /** Tasks that the service lists for the period, without a cut: what can have run in it. */
  readonly read: Task[];

  constructor(
    readonly listed: Listed,
    { from, to }: Pick<Shown, 'from' | 'to'>,
    readonly now: number,
    readonly isMonth: boolean
  ) {
    [this.from, this.to] = [from, to];
    this.days = Math.max(1, Math.ceil((now - from - 60_000) / DAY));
    this.tasks = this.within(from, to);
    const daysOfTasks = Math.ceil((now - from + 60_000) / DAY) + 1;
    this.read = listed.tasks.filter(({ dateCreation: created }) => created > listed.frozen - daysOfTasks * DAY);
    this.weekBefore = from - WEEK > this.oldest() ? this.within(from - WEEK, to - WEEK) : undefined;
    this.names = new Map(listed.automations(1).map(({ label, name }) => [label, name]));
    this.labels = [...this.names.keys()];
  }

  within(from: number, to: number): Task[] {
    return this.listed.tasks.filter(({ dateCreation: created }) => from <= created && created <= to);
  }

  /** The tasks that were created in the last so many days. */
  lastDays(days: number): Task[] {
    return this.listed.tasks.filter(({ dateCreation: created }) => created > this.listed.frozen - days * DAY);
  }

  oldest() {
    return this.listed.tasks.at(-1)?.dateCreation ?? Infinity;
  }

  private startBefore() {
    const start = new Date(this.from);
    return this.isMonth ? start.setUTCMonth(start.getUTCMonth() - 1) : 2 * this.from - this.to;
  }

  /** The windows, in days before now, whose difference is the time range in whole days. */
  get window(): [number, number] {
    return [Math.max(1, Math.round((this.now - this.from) / DAY)), Math.round((this.now - this.to) / DAY)];
  }

  /** What the service's totals of a measure have grown by in the time range, by label, in whole days. */
  grown(name: Additive, [from, to] = this.window): Map<string, number> {
    const until = new Map(this.listed.automations(to).map((row) => [row.label, row[name] ?? 0]));
    return new Map(
      this.listed.automations(from).map((row) => [row.label, (row[name] ?? 0) - (until.get(row.label) ?? 0)])
    );
  }

  /** The same for the period before; undefined if the service may have forgotten some of it. */
  grownBefore(name: 'savings' | 'taskCount'): Map<string, number> | undefined {
    const [from] = this.window;
    const before = Math.round((this.now - this.startBefore()) / DAY);
    return this.startBefore() > this.oldest() ? this.grown(name, [Math.max(before, from + 1), from]) : undefined;
  }

  /** What a runner's totals of a measure have grown by in the time range, in whole days. */
  grownOfRunner(id: string, name: 'items' | 'itemsErrorCount'): number | undefined {
    const [from, to] = this.window;
    const valueOf = (days: number) => this.listed.runners(days).find(({ _id }) => _id === id)?.[name];
    const until = valueOf(from);
    return until === undefined ? undefined : until - (valueOf(to) ?? 0);
  }

  by(name: 'activityLabel' | 'machineId', tasks = this.tasks): Map<string, Task[]> {
    return groups(tasks, (task) => task[name]);
  }
}

function groups<Row, Key>(rows: Row[], keyOf: (row: Row) => Key | null): Map<Key, Row[]> {
  const found = new Map<Key, Row[]>();
  for (const row of rows) {
    const value = keyOf(row);
    if (value !== null) {
      found.set(value, [...(found.get(value) ?? []), row]);
    }
  }
  return found;
}

// How Grafana writes values.
const none = '–';
const count = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 0 });
const decimal = (digits: number) => (value: number) =>
  (Math.round(value * 10 ** digits) / 10 ** digits).toFixed(digits);
const share = (value: number) => `${(Math.round(value * 100 * 10) / 10).toFixed(1)}%`;
const date = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');
const or = (nothing: string, format: (value: number) => string) => (value: number | null | undefined) =>
  value == null ? nothing : format(value);

function age(seconds: number): string {
  const units: Array<[number, string]> = [
    [604_800, 'weeks'],
    [86_400, 'days'],
    [3_600, 'hours'],
    [60, 'mins'],
  ];
  const [size, unit] = units.find(([least]) => seconds >= least) ?? [1, 's'];
  return seconds > 0 && seconds < 1 ? `${(seconds * 1_000).toFixed(0)} ms` : `${(seconds / size).toFixed(0)} ${unit}`;
}

/** By which fraction a number has changed, in whole percent; a dash where nothing is known of the period before. */
function change(now: number | null | undefined, before: number | null | undefined): string {
  const ratio = now == null || !before ? NaN : now / before - 1;
  return Number.isNaN(ratio) ? none : ratio > 9.995 ? 'over 999%' : wholeShare(ratio);
}

/** Without the sign of a negative number that rounds to 0. */
const wholeShare = (value: number) => `${Math.round(value * 100) || 0}%`;

const total = (sums: Map<string, number> | undefined) => (sums ? sum([...sums.values()]) : undefined);

type Measure = keyof typeof measures;

const stat =
  (measure: Measure, format = or('No answer', count), filter: (task: Task) => boolean = () => true): Panel =>
  ({ tasks }) => ({ lines: [format(measures[measure](tasks.filter(filter)))] });

/** A number of the time range, and how much it differs from that of the previous week. */
const compared =
  (measure: Measure): Panel =>
  ({ tasks, weekBefore }) => {
    const now = measures[measure](tasks);
    const before = weekBefore && measures[measure](weekBefore);
    return { lines: ['in this range', or('No answer', count)(now), 'vs previous week', change(now, before)] };
  };

const successRate: Panel = ({ tasks, weekBefore }) => ({
  lines: [
    ...['in this range', or('No rate', share)(measures.successRate(tasks))],
    ...['previous week', or(none, share)(weekBefore && measures.successRate(weekBefore))],
  ],
});

/** Groups with their values, in the order of the values and then of the groups; groups without a value come last. */
function ranked<Value extends number | null>(values: Iterable<[string, Value]>, order: 'asc' | 'desc' = 'desc') {
  const sign = order === 'asc' ? 1 : -1;
  return [...values].sort(([a, x], [b, y]) =>
    x === null || y === null
      ? Number(x === null) - Number(y === null) || compare(a, b)
      : sign * (x - y) || compare(a, b)
  );
}

const noBar = 'No tasks, or no answer';

/** Bars of a measure of tasks, by automation or runner. */
const bars =
  (by: 'activityLabel' | 'machineId', measure: Measure, limit: number, format = count, order?: 'asc'): Panel =>
  (period) => {
    const tasks = order ? period.tasks.filter(({ finishStatus }) => finishStatus !== null) : period.tasks;
    const values = [...period.by(by, tasks)].map(([name, own]): [string, number | null] => [
      name,
      measures[measure](own),
    ]);
    const shown = ranked(values, order).slice(0, limit);
    return { lines: shown.flatMap(([name, value]) => [period.names.get(name) ?? name, or(noBar, format)(value)]) };
  };

/** Bars of a total of automations. */
const totals =
  (values: (period: Period) => Iterable<[string, number]>, format: (value: number) => string): Panel =>
  (period) => ({
    lines: ranked(values(period))
      .slice(0, 15)
      .flatMap(([label, value]) => [period.names.get(label)!, format(value)]),
  });

const untilNow = (name: 'fte' | 'roi') => (period: Period) =>
  period.listed.automations(period.days).map((row): [string, number] => [row.label, row[name] ?? 0]);

/** The points of a line as [time, value], and the sum of its values. */
function points(frame: Frame, field = 1): Array<[number, number | null]> {
  const [times, values] = [frame.data.values[0], frame.data.values[field]];
  return times.map((time, index) => [time as number, values[index] as number | null]);
}

/** Compares each point of a line of tasks with the tasks between it and the next one. */
function drawnLine(
  { from, to }: Period,
  frame: Frame,
  valueOf: (tasks: (all: Task[]) => Task[], start: number, end: number) => number | null,
  field = 1
): [string, unknown, unknown] {
  const line = points(frame, field);
  const wanted = line.map(([time], index): [number, number | null] => {
    const [start, next] = [Math.max(from, time), line[index + 1]?.[0] ?? Infinity];
    const within = (all: Task[]) =>
      all.filter(({ dateCreation: created }) => start <= created && created < next && created <= to);
    return [time, valueOf(within, start, Math.min(next, to))];
  });
  return [
    `line ${frame.schema.fields[field].labels ? JSON.stringify(frame.schema.fields[field].labels) : ''}`,
    line,
    wanted,
  ];
}

const line = (period: Period, frame: Frame, measure: Measure, tasks = period.tasks) =>
  drawnLine(period, frame, (within) => measures[measure](within(tasks)));

/** Lines of one measure of tasks for each query, with the names of the legend. */
const lines =
  (...of: Array<[Measure, string]>): Panel =>
  (period, frames) => ({
    lines: of.map(([, name]) => name),
    drawn: of.map(([measure], index) => line(period, frames['ABCD'[index]][0], measure)),
  });

/** Compares each point of a line of totals with the difference of the windows at its ends. */
function drawnHistory(period: Period, frame: Frame, name: 'savings', field = 1): [string, unknown, unknown] {
  const { labels } = frame.schema.fields[field];
  const line = points(frame, field);
  const daysAgo = (time: number) => Math.round((period.now - time) / DAY);
  const wanted = line.map(([time], index): [number, number] => {
    const end = index + 1 < line.length ? daysAgo(line[index + 1][0]) : period.window[1];
    const grown = period.grown(name, [daysAgo(time), end]);
    return [time, labels?.label ? (grown.get(labels.label) ?? 0) : total(grown)!];
  });
  return [`history ${JSON.stringify(labels)}`, line, wanted];
}

/** Counts of tasks by finish status or, without one, state, and of all tasks of the previous week, as a legend. */
const tasksByStatus: Panel = (period, { C: [frame] }) => {
  const week = weekBeforeLine(period, frame, 'tasks');
  return {
    pairs: [
      ...[...groups(period.tasks, ({ finishStatus, state }) => finishStatus ?? state)].map(([name, { length }]) => [
        name,
        `Total: ${count(length)}`,
      ]),
      ...(week ? [['previous week', `Total: ${count(sum(week.map(([, value]) => value ?? 0)))}`]] : []),
    ],
    drawn: [drawnWeekBefore(frame, week)],
  };
};

/** The line of the previous week: null before the first task, and undefined if nothing of it is known. */
function weekBeforeLine(period: Period, frame: Frame, measure: Measure) {
  const times = points(frame).map(([time]) => time);
  const line = times.map((time, index): [number, number | null] => {
    const [start, end] = [Math.max(period.from, time) - WEEK, (times[index + 1] ?? Infinity) - WEEK];
    return [
      time,
      start < period.oldest() ? null : measures[measure](period.within(start, Math.min(end - 1, period.to - WEEK))),
    ];
  });
  const isKnown = line.some(([time]) => Math.max(period.from, time) - WEEK >= period.oldest());
  return isKnown ? line : undefined;
}

function drawnWeekBefore(frame: Frame, week: ReturnType<typeof weekBeforeLine>): [string, unknown, unknown] {
  const field = frame.schema.fields.findIndex(({ labels }) => labels?.compare);
  return ['previous week', field < 0 ? undefined : points(frame, field), week];
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const HOUR = DAY / 24;
const hourOf = (time: number) => new Date(time).toISOString().slice(11, 13);

const weekdayOf = (time: number) => weekdays[new Date(time).getUTCDay()];

/** The beginnings of the hours of a time range. */
function hoursOf({ from, to }: Pick<Period, 'from' | 'to'>): number[] {
  const first = from - (from % HOUR);
  return Array.from({ length: Math.floor((to - first) / HOUR) + 1 }, (_, index) => first + index * HOUR);
}

/** A matrix of a measure by hour and weekday, of the last four weeks. */
const byHour =
  (measure: Measure): Panel =>
  (period) => {
    const days = [...weekdays.slice(1), 'Sun'];
    const hours = Array.from({ length: 24 }, (_, hour) => `${hour}`.padStart(2, '0'));
    const cells = groups(
      period.lastDays(28),
      ({ dateCreation: created }) => `${hourOf(created)} ${weekdayOf(created)}`
    );
    return {
      table: {
        header: ['Hour', ...days],
        rows: hours.map((hour) => [
          hour,
          ...days.map((day) => count(measures[measure](cells.get(`${hour} ${day}`) ?? []) ?? 0)),
        ]),
      },
    };
  };

/** Tasks that were created in the last seven days and have a state. */
const waiting = (period: Period, state: string, days = 7) =>
  period.lastDays(days).filter((task) => task.state === state);

const queuedFor = (period: Period) =>
  waiting(period, 'START').map(({ dateCreation: created }) => (period.now - created) / 1000);

const runningFor = (period: Period) =>
  waiting(period, 'RUNNING').map(({ dateStartRunning: started }) => (period.now - started!) / 1000);

const ran = ({ machineId }: Task) => machineId !== null;

const times = (value: number) => `${decimal(1)(value)} ×`;

/** A change in a table: a large one is not cut. */
function changeCell(now: number | null, before: number | null): string {
  return now === null || !before ? none : wholeShare(now / before - 1);
}

/** Tasks that started within 15 minutes, among them and those that waited longer. */
function startedInTime(tasks: Task[], now: number): number | null {
  const late = tasks.flatMap((task) => waitedFor(task, now)).filter((waited) => waited > 900).length;
  const inTime = tasks.filter(
    ({ dateCreation: created, dateStartRunning: started }) => started && started - created <= 900_000
  ).length;
  return inTime + late > 0 ? inTime / (inTime + late) : null;
}

/** The 95th percentile of the durations of the task's automation in the last 30 days, from five finished tasks on. */
function usualOf(period: Period, { activityLabel }: Task): number | null {
  const own = period.lastDays(30).filter((task) => task.activityLabel === activityLabel);
  const finished = own.filter(
    ({ finishStatus, dateStartRunning: started, dateLastModified: modified }) => finishStatus && started && modified
  );
  return finished.length >= 5 ? measures.durationP95(finished) : null;
}

function slownessOf(period: Period, task: Task): number | null {
  const usual = usualOf(period, task);
  return usual ? ranFor(task, period.now)! / usual : null;
}

/** Each bar of a lane is a task of its runner that ran in the time range; together, the lanes have all of them. */
const timelineOfRunners: Panel = (period, { A: frames }) => {
  const bars = frames.flatMap(({ schema, data: { values } }) =>
    values[0].map((start, row) => [schema.fields.at(-1)!.labels!.machineId, values[2][row], start, values[1][row]])
  );
  const ended = ({ state, dateLastModified: modified }: Task) => (state === 'RUNNING' ? period.now : modified);
  const runs = period.read
    .filter((task) => task.machineId && task.dateStartRunning !== null && ended(task) !== null)
    .filter((task) => task.dateStartRunning! <= period.to && ended(task)! >= period.from)
    .map((task) => [task.machineId, task.activityLabel, task.dateStartRunning, ended(task)]);
  // The frames were made a moment before or after the time that a running task is expected to have run until.
  const rounded = (end: unknown) => (Math.abs(Number(end) - period.now) < 60_000 ? 'now' : end);
  const inOrder = (all: unknown[][]) =>
    all.map(([id, label, start, end]) => JSON.stringify([id, label, start, rounded(end)])).sort(compare);
  return { drawn: [['bars', inOrder(bars), inOrder(runs)]] };
};

function occupancies(period: Period): Map<string, number> {
  const { read, from, to, now } = period;
  const busy = [...period.by('machineId', read)].map(([id, own]): [string, number | null] => [
    id,
    occupancy(own, from, to, now),
  ]);
  return new Map(busy.filter((entry): entry is [string, number] => Boolean(entry[1])));
}

/** The rows of a table of automations with what grew in the time range, by which one column is sorted. */
function automationRows(period: Period, by: Additive) {
  const names = ['taskCount', 'sumItems', 'sumItemsError', 'savings'] as const;
  const grown = new Map(names.map((name) => [name, period.grown(name)]));
  const grownOf = (label: string) =>
    Object.fromEntries(names.map((name) => [name, grown.get(name)!.get(label) ?? 0])) as Record<Additive, number>;
  return period.listed
    .automations(period.days)
    .map((row) => ({ ...row, grown: grownOf(row.label) }))
    .sort((a, b) => b.grown[by] - a.grown[by]);
}

/** A rate of an automation; none without tasks. */
const rate = ({ taskCount }: AutomationRecord, value: number) => (taskCount === 0 ? none : share(value));

/** The name of a number of automations, with the time that it covers if that is not the time range. */
function covering(name: string, { from, to, now, isMonth }: Period, isUntilNow = false): string {
  if (!isMonth) {
    return to - from < DAY ? `${name} (last 24 h)` : name;
  }
  const [start, end] = [new Date(from), new Date(to)];
  const year = end.getUTCFullYear() === new Date(now).getUTCFullYear() ? '' : ` ${end.getUTCFullYear()}`;
  const month = `${start.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' })}${year}`;
  return `${name} (≈ 1 ${isUntilNow ? `${month} until now` : `– ${end.getUTCDate()} ${month}`})`;
}

/** A number of automations, with its name and the change. */
const grownStat =
  (measure: 'savings' | 'taskCount', name: string): Panel =>
  (period) => {
    const [now, before] = [total(period.grown(measure))!, total(period.grownBefore(measure))];
    return { lines: [covering(name, period), count(now), 'vs previous period', change(now, before)] };
  };

const statUntilNow =
  (name: string, value: (rows: AutomationRecord[]) => number | null, format: (value: number) => string): Panel =>
  (period) => ({
    lines: [covering(name, period, true), or('No rate', format)(value(period.listed.automations(period.days)))],
  });

const history: Panel = (period, { A: [frame] }) => ({
  drawn: frame.schema.fields
    .map((field, index) => [field, index] as const)
    .filter(([{ labels }], index) => index > 0 && !labels?.compare)
    .map(([, index]) => drawnHistory(period, frame, 'savings', index)),
});

const expected: Record<string, Record<string, Panel>> = {
  'insights-operations': {
    'Queued now': (period) => ({ lines: [count(waiting(period, 'START').length)] }),
    'Longest wait': (period) => ({ lines: [ageOfOldest(queuedFor(period), 'None queued')] }),
    'Empty in': (period) => {
      const within = (at: number | null) => at !== null && at >= period.now - HOUR;
      const arrived = period.lastDays(7).filter(({ dateCreation: created }) => within(created)).length;
      const shrinks = period.lastDays(7).filter(({ dateStartRunning: started }) => within(started)).length - arrived;
      const queued = waiting(period, 'START').length;
      const grows = shrinks < 0 ? 'Growing' : 'Not shrinking';
      return { lines: [queued === 0 ? 'None queued' : shrinks > 0 ? age((queued / shrinks) * 3600) : grows] };
    },
    'Running now': (period) => ({ lines: [count(waiting(period, 'RUNNING').length)] }),
    Tasks: compared('tasks'),
    Failed: compared('failedTasks'),
    'Success rate': successRate,
    'Timed out': stat('tasks', undefined, ({ state }) => state === 'TIMEOUT'),
    'Needs attention': (period) => {
      const month = period.by('activityLabel', period.lastDays(30));
      const stuck = waiting(period, 'RUNNING', 30)
        .map((task) => [task, slownessOf(period, task)] as const)
        .filter(([, slowness]) => slowness !== null && slowness > 2)
        .sort(([, a], [, b]) => b! - a!);
      const failures = (label: string) => measures.failuresInARow(month.get(label)!);
      const silence = (label: string) =>
        sinceLastTask(month.get(label)!, period.now) / (measures.gapMax(month.get(label)!) ?? 0);
      const others = [...month.keys()]
        .filter((label) => !stuck.some(([{ activityLabel }]) => activityLabel === label))
        .filter((label) => failures(label) >= 3 || (silence(label) > 1 && measures.gapMax(month.get(label)!) !== null))
        .sort((a, b) => failures(b) - failures(a) || compare(a, b));
      const rest = (label: string) => [
        count(failures(label)),
        or(none, age)(sinceLastSuccess(month.get(label)!, period.now)),
        measures.gapMax(month.get(label)!) === null ? none : times(silence(label)),
        age(sinceLastTask(month.get(label)!, period.now)),
      ];
      return {
        table: {
          header: [
            ...['Automation', '× usual', 'Runs for', 'Runner'],
            ...['Failures in a row', 'Last success', '× gap', 'Last task'],
          ],
          rows: [
            ...stuck.map(([task, slowness]) => [
              ...[task.activityLabel, times(slowness!), age(ranFor(task, period.now)!), task.machineId ?? none],
              ...rest(task.activityLabel),
            ]),
            ...others.map((label) => [label, none, none, none, ...rest(label)]),
          ],
        },
      };
    },
    'Tasks by status': tasksByStatus,
    'Timeline of runners': timelineOfRunners,
    'Oldest running task': (period) => ({ lines: [ageOfOldest(runningFor(period), 'None running')] }),
    'Failed items': compared('failedItems'),
    'Started in time': ({ tasks, now }) => ({ lines: [or('None so far', share)(startedInTime(tasks, now))] }),
    'Arrived and started': (period, { A: [arrived], B: [started] }) => {
      const begun = period.read.filter(
        ({ dateStartRunning: at }) => at !== null && period.from <= at && at <= period.to
      );
      return {
        lines: [
          ...['Arrived', `Total: ${count(period.tasks.length)}`],
          ...['Started', `Total: ${count(begun.length)}`],
        ],
        drawn: [
          line(period, arrived, 'tasks'),
          drawnLine(
            period,
            started,
            (within) => within(begun.map((task) => ({ ...task, dateCreation: task.dateStartRunning! }))).length
          ),
        ],
      };
    },
    'Queued now, by age': (period) => ({
      lines: [
        ['Under 5 min', 0, 300] as const,
        ['5 to 15 min', 300, 900] as const,
        ['15 to 30 min', 900, 1_800] as const,
        ['30 to 60 min', 1_800, 3_600] as const,
        ['Over 1 hour', 3_600, Infinity] as const,
      ].flatMap(([name, least, below]) => [
        name,
        count(queuedFor(period).filter((seconds) => least <= seconds && seconds < below).length),
      ]),
    }),
    'Longest running now': (period) => {
      const rows = waiting(period, 'RUNNING', 30)
        .sort((a, b) => a.dateStartRunning! - b.dateStartRunning!)
        .slice(0, 10);
      return {
        table: {
          header: ['Runs for', 'Usual', '× usual', 'Automation', 'Runner', 'Started', 'Task'],
          rows: rows.map((task) => [
            age((period.now - task.dateStartRunning!) / 1000),
            or(none, age)(usualOf(period, task)),
            or(none, times)(slownessOf(period, task)),
            task.activityLabel,
            task.machineId ?? none,
            date(task.dateStartRunning!),
            `${task.id}`,
          ]),
          count: rows.length,
        },
      };
    },
    'Recent tasks': ({ tasks, now }) => ({
      table: {
        header: [
          ...['Created', 'Task', 'Automation', 'State', 'Finish status', 'Runner', 'Queue time', 'Duration', 'Failed'],
          ...['Items', 'Started', 'Last update', 'Repository'],
        ],
        rows: tasks
          .slice(0, 1_000)
          .map((task) => [
            date(task.dateCreation),
            `${task.id}`,
            task.activityLabel,
            task.state,
            task.finishStatus ?? none,
            task.machineId ?? none,
            or(none, age)(waitedFor(task, now)[0]),
            or(none, age)(ranFor(task, now)),
            or(none, count)(task.failedItems),
            or(none, count)(task.totalItems),
            or(none, date)(task.dateStartRunning),
            or(none, date)(task.dateLastModified),
            task.repositoryLabel,
          ]),
        count: Math.min(1_000, tasks.length),
      },
    }),
  },

  'insights-automations': {
    'Now and before': ({ by, tasks, weekBefore, now }) => {
      const [current, earlier] = [by('activityLabel', tasks), by('activityLabel', weekBefore ?? [])];
      const labels = new Set([...current.keys(), ...earlier.keys()]);
      const both = (label: string, measure: Measure) => {
        const own = earlier.get(label) ?? [];
        return [measures[measure](current.get(label) ?? []), weekBefore ? measures[measure](own) : null] as const;
      };
      const fallOf = (label: string) => {
        const [rate, before] = both(label, 'successRate');
        return rate !== null && before ? rate / before - 1 : 0;
      };
      const rows = [...labels].sort((a, b) => fallOf(a) - fallOf(b));
      const cells = (label: string, measure: Measure, format: (value: number) => string) => {
        const [value, before] = both(label, measure);
        return [or(none, format)(value), or(none, format)(before), changeCell(value, before)];
      };
      return {
        table: {
          header: [
            ...['Automation', 'Success rate', 'Rate before', 'Rate change', 'Failed', 'Failed before', 'Failed change'],
            ...['Tasks', 'Tasks before', 'Tasks change', 'Duration', 'Duration before', 'Duration change', 'In time'],
          ],
          rows: rows.map((label) => [
            label,
            ...cells(label, 'successRate', share),
            ...cells(label, 'failedTasks', count),
            ...cells(label, 'tasks', count),
            ...cells(label, 'duration', age),
            or(none, wholeShare)(startedInTime(current.get(label) ?? [], now)),
          ]),
          count: rows.length,
          ascending: 3,
        },
      };
    },
    Tasks: compared('tasks'),
    'Success rate': successRate,
    'Failed tasks': compared('failedTasks'),
    'Failed items': compared('failedItems'),
    'Tasks by status': tasksByStatus,
    'Success rate over time': (period, { A: [frame] }) => {
      const week = weekBeforeLine(period, frame, 'successRate');
      return {
        lines: ['Success rate', ...(week ? ['previous week'] : [])],
        drawn: [line(period, frame, 'successRate'), drawnWeekBefore(frame, week)],
      };
    },
    'Duration and queue time': lines(
      ['duration', 'Mean duration'],
      ['durationP95', 'Duration, 95th percentile'],
      ['queueTime', 'Mean queue time'],
      ['queueTimeP95', 'Queue time, 95th percentile']
    ),
    'Items over time': ({ tasks }) => ({
      lines: [
        ...['Processed', `Total: ${count(measures.processedItems(tasks) ?? 0)}`],
        ...['Failed', `Total: ${count(measures.failedItems(tasks) ?? 0)}`],
      ],
    }),
    'Success rate of items': lines(['itemSuccessRate', 'Processed']),
    'Savings over time': history,
    'No tasks in 30 days': ({ listed }) => {
      const rows = listed.automations(30).filter(({ taskCount }) => taskCount === 0);
      return {
        table: {
          header: ['Automation', 'Name', 'Repository', 'Date'],
          rows: rows
            .sort((a, b) => compare(a.date, b.date))
            .map(({ label, name, repositoryLabel, date: made }) => [
              ...[label, name, repositoryLabel, date(Date.parse(`${made}Z`))],
            ]),
          count: rows.length,
        },
      };
    },
    'Tasks by weekday and hour': byHour('tasks'),
    'Failures by weekday and hour': byHour('failedTasks'),
    'All automations': (period) => {
      const [current, month] = [period.by('activityLabel'), period.by('activityLabel', period.lastDays(30))];
      return {
        table: {
          header: [
            ...['Automation', 'Tasks', 'Success rate', 'Items', 'Failed items', 'Savings', 'Last success', 'Last task'],
            ...['Uptime', 'Repository', 'Name', 'Runner', 'Date'],
          ],
          rows: automationRows(period, 'taskCount').map((row) => [
            row.label,
            count(row.grown.taskCount),
            or(none, share)(measures.successRate(current.get(row.label) ?? [])),
            count(row.grown.sumItems),
            count(row.grown.sumItemsError),
            count(row.grown.savings),
            or(none, age)(sinceLastSuccess(month.get(row.label) ?? [], period.now)),
            month.has(row.label) ? age(sinceLastTask(month.get(row.label)!, period.now)) : none,
            rate(row, row.uptimeRate),
            row.repositoryLabel,
            row.name,
            row.machineId ?? none,
            date(Date.parse(`${row.date}Z`)),
          ]),
          count: period.labels.length,
          sortedBy: 1,
        },
      };
    },
  },

  'insights-business-value': {
    Savings: grownStat('savings', 'Savings'),
    FTE: statUntilNow('FTE', (rows) => sum(rows.map(({ fte }) => fte ?? 0)), decimal(1)),
    ROI: statUntilNow('ROI', (rows) => mean(rows.flatMap(({ roi }) => roi || [])), decimal(2)),
    Tasks: grownStat('taskCount', 'Tasks'),
    'Savings over time': history,
    'Savings by automation over time': history,
    'Savings by automation': totals((period) => period.grown('savings'), count),
    'FTE by automation': totals(untilNow('fte'), decimal(2)),
    'ROI by automation': totals(untilNow('roi'), decimal(2)),
    'All automations': (period) => ({
      table: {
        header: ['Automation', 'Savings', 'Tasks', 'Items', 'ROI', 'FTE', 'Repository', 'Name'],
        rows: automationRows(period, 'savings').map((row) => [
          row.label,
          count(row.grown.savings),
          count(row.grown.taskCount),
          count(row.grown.sumItems),
          decimal(2)(row.roi ?? 0),
          decimal(2)(row.fte ?? 0),
          row.repositoryLabel,
          row.name,
        ]),
        count: period.labels.length,
        sortedBy: 1,
      },
    }),
  },

  'insights-runners': {
    Runners: ({ listed, days }) => ({ lines: [count(listed.runners(days).length)] }),
    Occupancy: (period) => ({ lines: [or('No answer', share)(mean([...occupancies(period).values()]))] }),
    Busiest: (period) => ({ lines: [share(Math.max(...occupancies(period).values()))] }),
    Concurrent: ({ read, from, to, now }) => ({ lines: [count(concurrency(read, from, to, now))] }),
    'Timeline of runners': timelineOfRunners,
    'All runners': (period) => {
      const runners = new Map(period.listed.runners(period.days).map((row) => [row._id, row]));
      const [tasks, busy] = [period.by('machineId'), occupancies(period)];
      const month = period.by('machineId', period.lastDays(30));
      const ids = [...new Set([...tasks.keys(), ...busy.keys(), ...runners.keys(), ...month.keys()])].sort(compare);
      const lengthOf = (id: string) => tasks.get(id)?.length ?? -1;
      return {
        table: {
          header: [
            ...['Runner', 'Tasks', 'Failed', 'Success rate', 'Occupancy', 'Utilization', 'Items', 'Failed items'],
            ...['Last task', 'Longest gap', '× gap'],
          ],
          rows: ids
            .sort((a, b) => lengthOf(b) - lengthOf(a))
            .map((id) => {
              const [own, known] = [tasks.get(id), month.get(id)];
              const [last, gap] = known ? [sinceLastTask(known, period.now), measures.gapMax(known)] : [null, null];
              return [
                id,
                own ? count(own.length) : none,
                own ? count(measures.failedTasks(own)) : none,
                or(none, share)(own && measures.successRate(own)),
                or(none, share)(busy.get(id)),
                or(none, decimal(2))(utilizationOf(runners.get(id))),
                or(none, count)(period.grownOfRunner(id, 'items')),
                or(none, count)(period.grownOfRunner(id, 'itemsErrorCount')),
                or(none, age)(last),
                or(none, age)(gap),
                last === null || gap === null ? none : times(last / gap),
              ];
            }),
          count: ids.length,
          sortedBy: 1,
        },
      };
    },
    'Occupancy over time': (period, { A: [frame] }) => ({
      drawn: frame.schema.fields.slice(1).map(({ labels }, index) => {
        const own = period.read.filter(({ machineId }) => machineId === labels?.machineId);
        const busy = (_: unknown, from: number, to: number) => occupancy(own, from, to, period.now);
        return drawnLine(period, frame, busy, index + 1);
      }),
    }),
    'Concurrent tasks over time': ({ read, from, to, now }) => ({
      lines: ['Concurrent tasks', `Max: ${count(concurrency(read, from, to, now))}`],
    }),
    'Busiest hours': ({ read, from, to }, { A: [{ data }] }) => {
      const started = read.flatMap((task) => task.dateStartRunning ?? []).filter((at) => from <= at && at <= to);
      const hours = [...new Set(hoursOf({ from, to }).map(hourOf))].sort(compare);
      const counts = hours.map((hour) => started.filter((at) => hourOf(at) === hour).length);
      return { drawn: [['hours', data.values, [hours, counts]]] };
    },
    'Failed tasks by runner': bars('machineId', 'failedTasks', 20),
    'Failures by automation and runner': (period) => {
      const taken = period.tasks.filter(ran);
      const runners = [...period.by('machineId', taken).keys()].sort(compare);
      const labels = new Set(
        [...taken]
          .sort((a, b) => compare(a.machineId!, b.machineId!) || compare(a.activityLabel, b.activityLabel))
          .map(({ activityLabel }) => activityLabel)
      );
      const rows = [...labels].map((label) => taken.filter(({ activityLabel }) => activityLabel === label));
      return {
        table: {
          header: ['Automation', ...runners, 'Total'],
          rows: rows
            .sort((a, b) => measures.failedTasks(b) - measures.failedTasks(a))
            .map((tasks) => [
              tasks[0].activityLabel,
              ...runners.map((id) => {
                const own = tasks.filter(({ machineId }) => machineId === id);
                return own.length > 0 ? count(measures.failedTasks(own)) : none;
              }),
              count(measures.failedTasks(tasks)),
            ]),
        },
      };
    },
  },
};

/** How much of its time a runner was busy, as the service reports it; none for a runner without tasks. */
const utilizationOf = (row: RunnerRecord | undefined) => (row && row.tasks > 0 ? row.utilizationRate : null);

function ageOfOldest(ages: number[], nothing: string): string {
  return ages.length > 0 ? age(Math.max(...ages)) : nothing;
}

/** How many seconds a task waited, or has waited. */
function waitedFor({ state, dateCreation: created, dateStartRunning: started }: Task, now: number): number[] {
  const end = started ?? (state === 'START' ? now : null);
  return end === null ? [] : [(end - created) / 1000];
}

/** How many seconds a task ran, or has run. */
function ranFor({ state, dateStartRunning: started, dateLastModified: modified }: Task, now: number): number | null {
  const end = state === 'RUNNING' ? now : modified;
  return started === null || end === null ? null : (end - started) / 1000;
}
