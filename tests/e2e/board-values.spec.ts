import { type AutomationRecord, type RunnerRecord } from '../../simulator/reports';
import { Boards, bundled, type Shown } from './support/boards';
import { type Frame } from './support/query';
import { compare, concurrency, DAY, Listed, mean, measures, occupancy, sum, type Task } from './support/sums';
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

/** What a panel shows of a period. */
interface Expected {
  /** The lines of its text. */
  lines?: string[];
  /** The names of its legend or bars with their values, in any order. */
  pairs?: string[][];
  /**
   * A table: header, all its rows in their order, and the number below it, if any. Rows with the same value in the column
   * `sortedBy` are in any order.
   */
  table?: { header: string[]; rows: string[][]; count?: number; sortedBy?: number };
  /** Values that are drawn on a canvas, as [name, actual, expected]. */
  drawn?: Array<[string, unknown, unknown]>;
}

type Panel = (period: Period, frames: Shown['frames']) => Expected;

function expectPanel(name: string, shown: Shown, panel: Panel, listed: Listed, from: string) {
  // Ages grow while an answer is on its way: it is right as of any moment between question and answer.
  const matches = [shown.asked, shown.answered].some((now) => differences(now).length === 0);
  expect.soft(matches ? [] : differences(shown.answered), name).toEqual([]);

  function differences(now: number): string[] {
    const {
      lines,
      pairs,
      table,
      drawn = [],
    } = panel(new Period(listed, shown, now, from.endsWith('/M')), shown.frames);
    return [
      ...(lines ? differ('text', shown.lines, lines) : []),
      ...(pairs ? differ('pairs', inPairs(shown.lines), [...pairs].sort()) : []),
      ...(table ? differ('header', shown.rows[0], table.header) : []),
      ...(table
        ? differ(
            'rows',
            tiesSorted(shown.rows.slice(1), table.sortedBy),
            tiesSorted(table.rows, table.sortedBy).slice(0, Math.max(1, shown.rows.length - 1))
          )
        : []),
      ...(table?.count !== undefined ? differ('footer', /\d+/.exec(shown.footer)?.[0], `${table.count}`) : []),
      ...drawn.flatMap(([what, actual, wanted]) => differ(what, actual, wanted)),
    ];
  }
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

/** The rows of the service that belong to the time range of a panel, and to the period before. */
class Period {
  readonly from: number;
  readonly to: number;
  /** The days that the service is asked to look back. */
  readonly days: number;
  readonly tasks: Task[];
  /** The tasks of the period before; undefined if the service may have forgotten some. */
  readonly before: Task[] | undefined;
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
    const daysOfTasks = Math.ceil((now - from + 60_000) / DAY);
    this.read = listed.tasks.filter(({ created }) => created > listed.frozen - daysOfTasks * DAY);
    const start = this.startBefore();
    this.before = start > this.oldest() ? this.within(start, from - 1) : undefined;
    this.names = new Map(listed.automations(1).map(({ label, name }) => [label, name]));
    this.labels = [...this.names.keys()];
  }

  private within(from: number, to: number): Task[] {
    return this.listed.tasks.filter(({ created }) => from <= created && created <= to);
  }

  private oldest() {
    return this.listed.tasks.at(-1)?.created ?? Infinity;
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
  grown(name: 'savings' | 'taskCount', [from, to] = this.window): Map<string, number> {
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
  Number(value.toFixed(digits)).toLocaleString('en-US', { maximumFractionDigits: digits });
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

/** The change that a Stat shows. Where nothing is known of the period before, it compares the number with itself. */
function change(now: number | null, before: number | null = now): string[] {
  const ratio = now === null ? NaN : (now - (before ?? now)) / (before ?? now);
  return Number.isNaN(ratio) ? [] : [ratio.toLocaleString('en-US', { style: 'percent', maximumSignificantDigits: 3 })];
}

const total = (sums: Map<string, number> | undefined) => (sums ? sum([...sums.values()]) : undefined);

type Measure = keyof typeof measures;

const stat =
  (measure: Measure, format = or('No answer', count), filter: (task: Task) => boolean = () => true): Panel =>
  ({ tasks }) => ({ lines: [format(measures[measure](tasks.filter(filter)))] });

const compared =
  (measure: Measure): Panel =>
  ({ tasks, before }) => {
    const now = measures[measure](tasks);
    return { lines: [or('No answer', count)(now), ...change(now, before && measures[measure](before))] };
  };

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
    const within = (all: Task[]) => all.filter(({ created }) => start <= created && created < next && created <= to);
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

/** Counts of tasks by finish status or, without one, state; and of all tasks, as a legend shows them. */
function legendOfStatus(tasks: Task[], all: string) {
  const byStatus = groups(tasks, ({ finishStatus, state }) => finishStatus ?? state);
  return [
    ...[...byStatus].map(([name, { length }]) => [name, `Total: ${count(length)}`]),
    [all, `Total: ${count(tasks.length)}`],
  ];
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

/** A matrix of a measure by hour and weekday: of those in the time range, also where nothing ran. */
const byHour =
  (measure: Measure): Panel =>
  (period) => {
    const hours = groups(hoursOf(period), hourOf);
    const days = [...weekdays.slice(1), 'Sun'].filter((day) => hoursOf(period).some((hour) => weekdayOf(hour) === day));
    return {
      table: {
        header: ['Hour', ...days],
        rows: [...hours.keys()].sort(compare).map((hour) => [
          hour,
          ...days.map((day) => {
            const own = period.tasks.filter(({ created }) => hourOf(created) === hour && weekdayOf(created) === day);
            const isCovered = hours.get(hour)?.some((start) => weekdayOf(start) === day);
            return isCovered ? count(measures[measure](own) ?? 0) : none;
          }),
        ]),
      },
    };
  };

/** Tasks that were created in the last seven days and have a state. */
const waiting = ({ listed }: Period, state: string) =>
  listed.tasks.filter((task) => task.state === state && task.created > listed.frozen - 7 * DAY);

const queuedFor = (period: Period) => waiting(period, 'START').map(({ created }) => (period.now - created) / 1000);

const runningFor = (period: Period) => waiting(period, 'RUNNING').map(({ started }) => (period.now - started!) / 1000);

const ran = ({ machineId }: Task) => machineId !== null;

function occupancies(period: Period): Map<string, number> {
  const { read, from, to, now } = period;
  const busy = [...period.by('machineId', read)].map(([id, own]): [string, number | null] => [
    id,
    occupancy(own, from, to, now),
  ]);
  return new Map(busy.filter((entry): entry is [string, number] => Boolean(entry[1])));
}

/** The rows of a table of automations, sorted by one column and then by label. */
const automationRows = ({ listed, days }: Period, by: 'taskCount' | 'savings') =>
  listed.automations(days).sort((a, b) => (b[by] ?? 0) - (a[by] ?? 0));

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
    return { lines: [covering(name, period), count(now), ...change(now, before)] };
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
    'Oldest queued task': (period) => ({ lines: [ageOfOldest(queuedFor(period), 'None queued')] }),
    'Running now': (period) => ({ lines: [count(waiting(period, 'RUNNING').length)] }),
    'Oldest running task': (period) => ({ lines: [ageOfOldest(runningFor(period), 'None running')] }),
    Tasks: compared('tasks'),
    Failed: compared('failedTasks'),
    'Timed out': stat('tasks', undefined, ({ state }) => state === 'TIMEOUT'),
    'Success rate': stat('successRate', or('No rate', share)),
    'Started in time': (period) => {
      const started = period.tasks.flatMap((task) => waitedFor(task, period.now));
      const late = started.filter((waited) => waited > 900).length;
      const inTime = period.tasks.filter(({ created, started }) => started && started - created <= 900_000).length;
      return { lines: [or('None so far', share)(inTime + late > 0 ? inTime / (inTime + late) : null)] };
    },
    'Failed items': compared('failedItems'),
    'Tasks by status over time': ({ tasks }) => ({ pairs: legendOfStatus(tasks, 'All tasks') }),
    'Duration and queue time': lines(
      ['duration', 'Mean duration'],
      ['durationP95', 'Duration, 95th percentile'],
      ['queueTime', 'Mean queue time'],
      ['queueTimeP95', 'Queue time, 95th percentile']
    ),
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
      const rows = waiting(period, 'RUNNING')
        .sort((a, b) => a.started! - b.started!)
        .slice(0, 10);
      return {
        table: {
          header: ['Runs for', 'Automation', 'Runner', 'Started', 'Task'],
          rows: rows.map(({ started, activityLabel, machineId, id }) => [
            age((period.now - started!) / 1000),
            activityLabel,
            machineId ?? none,
            date(started!),
            `${id}`,
          ]),
          count: rows.length,
        },
      };
    },
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
    'Tasks by weekday and hour': byHour('tasks'),
    'Failed tasks by weekday and hour': byHour('failedTasks'),
    'Recent tasks': ({ tasks, now }) => ({
      table: {
        header: [
          ...['Created', 'Automation', 'State', 'Finish status', 'Runner', 'Queue time', 'Duration', 'Failed', 'Items'],
          ...['Started', 'Last update', 'Repository', 'Task'],
        ],
        rows: tasks
          .slice(0, 1_000)
          .map((task) => [
            date(task.created),
            task.activityLabel,
            task.state,
            task.finishStatus ?? none,
            task.machineId ?? none,
            or(none, age)(waitedFor(task, now)[0]),
            or(none, age)(ranFor(task, now)),
            or(none, count)(task.failedItems),
            or(none, count)(task.totalItems),
            or(none, date)(task.started),
            or(none, date)(task.modified),
            task.repositoryLabel,
            `${task.id}`,
          ]),
        count: Math.min(1_000, tasks.length),
      },
    }),
  },

  'insights-automations': {
    Tasks: compared('tasks'),
    'Success rate': stat('successRate', or('No rate', share)),
    'Failed tasks': compared('failedTasks'),
    'Failed items': compared('failedItems'),
    Savings: grownStat('savings', 'Savings'),
    Uptime: statUntilNow(
      'Uptime',
      (rows) => mean(rows.filter(({ taskCount }) => taskCount > 0).map(({ uptimeRate }) => uptimeRate)),
      share
    ),
    'Tasks by status over time': ({ tasks, before }) => ({
      pairs: [
        ...legendOfStatus(tasks, 'All tasks'),
        ...(before ? [['Previous period', `Total: ${count(before.length)}`]] : []),
      ],
    }),
    'Success rate over time': (period, { A: [frame] }) => ({
      lines: ['Success rate', ...(period.before ? ['Previous period'] : [])],
      drawn: [line(period, frame, 'successRate')],
    }),
    'Tasks by automation': bars('activityLabel', 'tasks', 10),
    'Failed tasks by automation': bars('activityLabel', 'failedTasks', 10),
    'Lowest success rate': bars('activityLabel', 'successRate', 10, share, 'asc'),
    'Failed items by automation': bars('activityLabel', 'failedItems', 10),
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
    'Success rate of items over time': lines(['itemSuccessRate', 'Processed']),
    'Savings over time': history,
    'Rarely or never run, until now': ({ listed, days }) => ({
      table: {
        header: ['Automation', 'Tasks', 'Name', 'Date'],
        rows: listed
          .rarest(days)
          .slice(0, 10)
          .map(({ label, taskCount, name, date: made }) => [
            label,
            taskCount === 0 ? 'Never' : count(taskCount),
            name,
            date(Date.parse(`${made}Z`)),
          ]),
        count: Math.min(10, listed.rarest(days).length),
      },
    }),
    'All automations, until now': (period) => ({
      table: {
        header: [
          ...['Automation', 'Tasks', 'Success rate', 'Uptime', 'Items', 'Failed items', 'Savings', 'Repository'],
          ...['Name', 'Runner', 'Date'],
        ],
        rows: automationRows(period, 'taskCount').map((row) => [
          row.label,
          count(row.taskCount),
          rate(row, row.successRate),
          rate(row, row.uptimeRate),
          count(row.sumItems),
          count(row.sumItemsError),
          count(row.savings ?? 0),
          row.repositoryLabel,
          row.name,
          row.machineId ?? none,
          date(Date.parse(`${row.date}Z`)),
        ]),
        count: period.labels.length,
      },
    }),
  },

  'insights-business-value': {
    Savings: grownStat('savings', 'Savings'),
    'Previous period': (period) => ({
      lines: [or('No answer', count)(total(period.grownBefore('savings')))],
    }),
    FTE: statUntilNow('FTE', (rows) => sum(rows.map(({ fte }) => fte ?? 0)), decimal(1)),
    ROI: statUntilNow('ROI', (rows) => mean(rows.flatMap(({ roi }) => roi || [])), decimal(2)),
    Tasks: grownStat('taskCount', 'Tasks'),
    'Savings over time': history,
    'Savings by automation over time': history,
    'Savings by automation, in whole days': totals((period) => period.grown('savings'), count),
    'FTE by automation, until now': totals(untilNow('fte'), decimal(2)),
    'ROI by automation, until now': totals(untilNow('roi'), decimal(2)),
    'All automations, until now': (period) => ({
      table: {
        header: ['Automation', 'Savings', 'ROI', 'FTE', 'Tasks', 'Items', 'Success rate', 'Repository', 'Name'],
        rows: automationRows(period, 'savings').map((row) => [
          row.label,
          count(row.savings ?? 0),
          decimal(2)(row.roi ?? 0),
          decimal(2)(row.fte ?? 0),
          count(row.taskCount),
          count(row.sumItems),
          rate(row, row.successRate),
          row.repositoryLabel,
          row.name,
        ]),
        count: period.labels.length,
      },
    }),
  },

  'insights-runners': {
    Runners: ({ listed, days }) => ({ lines: [count(listed.runners(days).length)] }),
    'Mean occupancy': (period) => ({ lines: [or('No answer', share)(mean([...occupancies(period).values()]))] }),
    'Busiest runner': (period) => ({ lines: [share(Math.max(...occupancies(period).values()))] }),
    'Concurrent tasks': ({ read, from, to, now }) => ({ lines: [count(concurrency(read, from, to, now))] }),
    'Tasks taken': stat('tasks', undefined, ran),
    'Tasks not taken': stat('tasks', undefined, (task) => !ran(task)),
    'Occupancy of each runner over time': (period, { A: [frame] }) => ({
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
      const started = read.flatMap((task) => task.started ?? []).filter((at) => from <= at && at <= to);
      const hours = [...new Set(hoursOf({ from, to }).map(hourOf))].sort(compare);
      const counts = hours.map((hour) => started.filter((at) => hourOf(at) === hour).length);
      return { drawn: [['hours', data.values, [hours, counts]]] };
    },
    'Tasks by runner': bars('machineId', 'tasks', 20),
    'Failed tasks by runner': bars('machineId', 'failedTasks', 20),
    'Failed items by runner': bars('machineId', 'failedItems', 20),
    'Tasks by runner over time': (period) => {
      const runners = [...period.by('machineId')].map(([id, { length }]) => [id, `Total: ${count(length)}`]);
      return { pairs: [...runners, ['All runners', `Total: ${count(period.tasks.filter(ran).length)}`]] };
    },
    'All runners': (period) => {
      const runners = new Map(period.listed.runners(period.days).map((row) => [row._id, row]));
      const [tasks, busy] = [period.by('machineId'), occupancies(period)];
      const ids = [...new Set([...tasks.keys(), ...busy.keys(), ...runners.keys()])].sort(compare);
      const lengthOf = (id: string) => tasks.get(id)?.length ?? -1;
      return {
        table: {
          header: ['Runner', 'Tasks', 'Failed', 'Success rate', 'Occupancy', 'Items', 'Failed items'],
          rows: ids
            .sort((a, b) => lengthOf(b) - lengthOf(a))
            .map((id) => {
              const own = tasks.get(id);
              return [
                id,
                own ? count(own.length) : none,
                own ? count(measures.failedTasks(own)) : none,
                or(none, share)(own && measures.successRate(own)),
                or(none, share)(busy.get(id)),
                itemsOf(runners.get(id), 'items'),
                itemsOf(runners.get(id), 'itemsErrorCount'),
              ];
            }),
          count: ids.length,
          sortedBy: 1,
        },
      };
    },
  },
};

function itemsOf(row: RunnerRecord | undefined, name: 'items' | 'itemsErrorCount') {
  return row ? count(row[name]) : none;
}

function ageOfOldest(ages: number[], nothing: string): string {
  return ages.length > 0 ? age(Math.max(...ages)) : nothing;
}

/** How many seconds a task waited, or has waited. */
function waitedFor({ state, created, started }: Task, now: number): number[] {
  const end = started ?? (state === 'START' ? now : null);
  return end === null ? [] : [(end - created) / 1000];
}

/** How many seconds a task ran, or has run. */
function ranFor({ state, started, modified }: Task, now: number): number | null {
  const end = state === 'RUNNING' ? now : modified;
  return started === null || end === null ? null : (end - started) / 1000;
}
