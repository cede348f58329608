import { type DataSetName, type Field, getDataSet } from '../schema/datasets';
import type { Envelope } from '../simulator/lists';
import type { TaskRecord } from '../simulator/reports';
import { Client } from '../simulator/testing';
import type { Filter, QueryParts, Sort } from '../src/query/query';

// What the plugin must answer, from the service's own rows and as plainly as possible. Independent of the plugin's code,
// so that the two can disagree.

type Cell = string | number | null;

/** A row as a frame shows it: times in milliseconds since 1970, everything else as the service sends it. */
export type Row = Record<string, Cell>;

type Dates = 'dateCreation' | 'dateStartRunning' | 'dateLastModified';

/** A row of the tasks. */
export type TaskRow = Omit<TaskRecord, Dates> & Record<Dates, number | null> & { dateCreation: number };

// A date without an offset is UTC, but JavaScript reads it as local time.
const time = (text: string) => Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);

function cell(record: Record<string, unknown>, { name, type, rate }: Field): Cell {
  const value = record[name];
  // Without tasks, a rate says nothing: the service's 0 claims that all of them failed.
  if (value === null || value === undefined || (rate && (record.taskCount ?? record.tasks) === 0)) {
    return null;
  }
  return type === 'time' ? time(String(value)) : type === 'string' ? String(value) : Number(value);
}

/** The row for a record of the service. */
export function rowOf(set: DataSetName, record: object): Row {
  const { fields } = getDataSet(set);
  return Object.fromEntries(fields.map((field) => [field.name, cell(record as Record<string, unknown>, field)]));
}

/** All rows of a data set over a number of days, read in the simplest way: one page after the other, until the last. */
export async function readAll(url: string, set: DataSetName, days = 30, login = 'demo', key = 'demo-key') {
  const { path, parameters } = getDataSet(set);
  const client = new Client(url);
  await client.login(login, key);
  const records: object[] = [];
  for (let number = 0, last = false; !last; number++) {
    const page = await client.json<Envelope<object> | object[]>(`${path}?${parameters.days}=${days}&page=${number}`);
    records.push(...(Array.isArray(page) ? page : page.content));
    last = Array.isArray(page) || page.last;
  }
  return records.map((record) => rowOf(set, record));
}

export const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

export const mean = (values: number[]) => (values.length > 0 ? sum(values) / values.length : null);

/** The 95th percentile, between two values where it is not one of them. */
function p95(values: number[]): number | null {
  const ordered = [...values].sort((a, b) => a - b);
  const at = 0.95 * (ordered.length - 1);
  const [below, above] = [ordered[Math.floor(at)], ordered[Math.ceil(at)]];
  return ordered.length > 0 ? below + (above - below) * (at - Math.floor(at)) : null;
}

/** The sum of what is reported; null if nothing is, and 0 without rows. */
export function sumOf(tasks: TaskRow[], name: 'processedItems' | 'failedItems' | 'totalItems'): number | null {
  const known = tasks.map((task) => task[name]).filter((value) => value !== null);
  return known.length > 0 || tasks.length === 0 ? sum(known) : null;
}

const finished = (tasks: TaskRow[]) => tasks.filter(({ finishStatus }) => finishStatus !== null);

const hasFailed = ({ finishStatus, state }: TaskRow) => ['FAILED', 'TIMEOUT'].includes(finishStatus ?? state ?? '');

const seconds = (tasks: TaskRow[], from: Dates, to: Dates) =>
  tasks.flatMap(({ [from]: start, [to]: end }) =>
    start !== null && end !== null && start <= end ? (end - start) / 1000 : []
  );

const durations = (tasks: TaskRow[]) => seconds(finished(tasks), 'dateStartRunning', 'dateLastModified');

const turnarounds = (tasks: TaskRow[]) => seconds(finished(tasks), 'dateCreation', 'dateLastModified');

const queueTimes = (tasks: TaskRow[]) => seconds(tasks, 'dateCreation', 'dateStartRunning');

/** Failures and timeouts that ended after the last success, partial ones included. */
function failuresInARow(tasks: TaskRow[]): number {
  const ends = (...wanted: string[]) =>
    tasks
      .filter(({ finishStatus, state }) => wanted.includes(finishStatus ?? state ?? ''))
      .map((task) => task.dateLastModified!);
  const last = Math.max(...ends('SUCCESS', 'PARTIALLY_COMPLETED'));
  return ends('FAILED', 'TIMEOUT').filter((end) => end > last).length;
}

/** The most seconds between the creations of two tasks in a row; null for fewer than five. */
function gapMax(tasks: TaskRow[]): number | null {
  const times = tasks.map(({ dateCreation }) => dateCreation).sort((a, b) => a - b);
  const gaps = times.slice(1).map((at, index) => (at - times[index]) / 1000);
  return tasks.length < 5 ? null : Math.max(...gaps);
}

/** The measures of tasks that depend on the rows alone, as docs/query-editor.md defines them. */
export const measures = {
  tasks: (tasks: TaskRow[]) => tasks.length,
  failedTasks: (tasks: TaskRow[]) => tasks.filter(hasFailed).length,
  successRate: (tasks: TaskRow[]) =>
    mean(
      tasks
        .filter((task) => task.finishStatus !== null || hasFailed(task))
        .map(({ finishStatus }) => Number(finishStatus === 'SUCCESS'))
    ),
  processedItems: (tasks: TaskRow[]) => sumOf(tasks, 'processedItems'),
  failedItems: (tasks: TaskRow[]) => sumOf(tasks, 'failedItems'),
  totalItems: (tasks: TaskRow[]) => sumOf(tasks, 'totalItems'),
  itemSuccessRate: (tasks: TaskRow[]) => {
    const both = tasks.filter(({ processedItems, totalItems }) => processedItems !== null && totalItems !== null);
    const total = sumOf(both, 'totalItems');
    return total ? sumOf(both, 'processedItems')! / total : null;
  },
  duration: (tasks: TaskRow[]) => mean(durations(tasks)),
  durationP95: (tasks: TaskRow[]) => p95(durations(tasks)),
  queueTime: (tasks: TaskRow[]) => mean(queueTimes(tasks)),
  queueTimeP95: (tasks: TaskRow[]) => p95(queueTimes(tasks)),
  turnaround: (tasks: TaskRow[]) => mean(turnarounds(tasks)),
  turnaroundP95: (tasks: TaskRow[]) => p95(turnarounds(tasks)),
  failuresInARow,
  gapMax,
};

/** The seconds that 95 % of the good tasks of the week that is a third from the shortest don't exceed; undefined below 5. */
function usualDuration(tasks: TaskRow[]): number | undefined {
  const WEEK = 7 * 86_400_000;
  const good = tasks.filter(
    ({ finishStatus, failedItems, totalItems }) =>
      (finishStatus === 'SUCCESS' || finishStatus === 'PARTIALLY_COMPLETED') &&
      !(totalItems !== null && 2 * (failedItems ?? 0) > totalItems)
  );
  const weeks = [...groups(good, ({ dateCreation }) => Math.floor(dateCreation / WEEK)).values()].map((week) => {
    const ordered = durations(week).sort((a, b) => a - b);
    return ordered[Math.ceil(0.95 * ordered.length) - 1];
  });
  return good.length < 5 ? undefined : weeks.sort((a, b) => a - b)[Math.floor((weeks.length - 1) / 3)];
}

/** What is to do at a moment, in tasks that wait and run: how long each takes, and has run. */
function workAt(tasks: TaskRow[], all: TaskRow[], at: number) {
  const usual = new Map(
    [...groups(all, ({ activityLabel }) => activityLabel)].map(([label, own]) => [label, usualDuration(own)])
  );
  const known = [...usual.values()].filter((value) => value !== undefined).sort((a, b) => a - b);
  const middle = (known[Math.floor((known.length - 1) / 2)] + known[Math.floor(known.length / 2)]) / 2;
  return tasks.flatMap(({ activityLabel, state, dateCreation, dateStartRunning: start, dateLastModified: end }) => {
    const takes = usual.get(activityLabel) ?? middle;
    const isOver = (state === 'CANCELED' || start !== null) && state !== 'RUNNING' && end! <= at;
    if (dateCreation > at || isOver) {
      return [];
    }
    const ran = start === null || start > at ? undefined : (at - start) / 1000;
    return [{ takes, ran, left: Math.max(0, takes - (ran ?? 0)) }];
  });
}

/** The seconds from each first failure in a row of an automation, in a time, to its next success, or now. */
function recoveries(tasks: TaskRow[], all: TaskRow[], { from, to }: Span): number[] {
  return [...groups(all, ({ activityLabel }) => activityLabel).values()].flatMap((own) => {
    const statusOf = ({ finishStatus, state }: TaskRow) => finishStatus ?? state;
    const ends = own
      .filter((task) => ['SUCCESS', 'PARTIALLY_COMPLETED', 'FAILED', 'TIMEOUT'].includes(statusOf(task)))
      .sort((a, b) => a.dateLastModified! - b.dateLastModified!);
    const isFailed = (task?: TaskRow) => task !== undefined && ['FAILED', 'TIMEOUT'].includes(statusOf(task));
    return ends.flatMap((task, index) => {
      const began = task.dateLastModified!;
      if (!isFailed(task) || isFailed(ends[index - 1]) || began < from || began > to || !tasks.includes(task)) {
        return [];
      }
      const success = ends.slice(index).find(({ finishStatus }) => finishStatus === 'SUCCESS');
      return [((success?.dateLastModified ?? Date.now()) - began) / 1000];
    });
  });
}

/** The seconds in which a runner ran at least one of its tasks. */
function busy(tasks: TaskRow[], { from, to }: Span): number {
  let [total, until] = [0, from];
  for (const { state, dateStartRunning: start, dateLastModified } of [...tasks].sort(
    (a, b) => (a.dateStartRunning ?? 0) - (b.dateStartRunning ?? 0)
  )) {
    const end = Math.min(to, state === 'RUNNING' ? to : (dateLastModified ?? 0));
    if (start !== null && end > until) {
      total += Math.max(0, end - Math.max(start, until));
      until = end;
    }
  }
  return total / 1000;
}

/** A time range that has ended, in milliseconds since 1970. */
export interface Span {
  from: number;
  to: number;
}

/** The measures of tasks that others decide, too: some of all tasks that are read, over a time range that has ended. */
export const historyMeasures = {
  queuedWork: (tasks: TaskRow[], all: TaskRow[], { to }: Span) => sum(workAt(tasks, all, to).map(({ left }) => left)),
  busyRunners: (tasks: TaskRow[], _: TaskRow[], span: Span) => {
    const ran = groups(
      tasks.filter(({ machineId }) => machineId !== null),
      ({ machineId }) => machineId
    );
    return sum([...ran.values()].map((own) => busy(own, span))) / ((span.to - span.from) / 1000);
  },
  failureStreaks: (tasks: TaskRow[], all: TaskRow[], span: Span) => recoveries(tasks, all, span).length,
  recoveryTime: (tasks: TaskRow[], all: TaskRow[], span: Span) => mean(recoveries(tasks, all, span)),
};

/** A line of the setting of deadlines. `within` is in minutes here, as in 45m. */
export type Promised = { automation: string } & (
  { by: string; timezone?: string; count?: number } | { within: `${number}m` }
);

const isPromised = ({ automation }: Promised, label: string) =>
  new RegExp(`^${automation.replaceAll('*', '.*')}$`).test(label);

/** The share of deadlines that were kept: of those of the automations in some tasks, all of whose tasks decide. */
export const deadlinesMet = (deadlines: Promised[]) => (tasks: TaskRow[], all: TaskRow[], span: Span) =>
  mean(
    [...new Set(tasks.map(({ activityLabel }) => activityLabel))].flatMap((label) => {
      const own = all.filter(({ activityLabel }) => activityLabel === label);
      return deadlines
        .filter((deadline) => isPromised(deadline, label))
        .flatMap((deadline) => ('by' in deadline ? keptBy(deadline, own, all, span) : keptWithin(deadline, own, span)))
        .map(Number);
    })
  );

function keptBy(
  { by, timezone = 'UTC', count = 1 }: { by: string; timezone?: string; count?: number },
  own: TaskRow[],
  all: TaskRow[],
  { from, to }: Span
) {
  const DAY = 86_400_000;
  const local = (at: number) => new Date(at).toLocaleString('sv', { timeZone: timezone });
  const ends = (tasks: TaskRow[]) => tasks.flatMap(({ dateLastModified: end }) => (end === null ? [] : [local(end)]));
  const worked = new Set(ends(all).map((end) => end.slice(0, 10)));
  const successes = ends(own.filter(({ finishStatus }) => finishStatus === 'SUCCESS'));
  const days = new Set(
    Array.from({ length: (to - from) / DAY + 3 }, (_, n) => local(from + (n - 1) * DAY).slice(0, 10))
  );
  return [...days].flatMap((day) => {
    const due = Date.parse(`${day}T${by}:00Z`) - (Date.parse(`${local(from)}Z`) - Math.floor(from / 1000) * 1000);
    const inTime = successes.filter((end) => end.startsWith(day) && end < `${day} ${by}:00`);
    return worked.has(day) && from <= due && due <= to ? [inTime.length >= count] : [];
  });
}

const keptWithin = ({ within }: { within: string }, own: TaskRow[], { from, to }: Span) =>
  own
    .filter(({ state }) => state !== 'CANCELED')
    .map((task) => ({ ...task, due: task.dateCreation + parseInt(within, 10) * 60_000 }))
    .filter(({ due }) => from <= due && due <= to)
    .map(({ finishStatus, dateLastModified, due }) => finishStatus === 'SUCCESS' && dateLastModified! <= due);

/** A measure of some rows. Those of automations and runners are sums or means of a field. */
function measureOf({ queryType = 'tasks', measure = 'tasks' }: QueryParts, rows: Row[]): number | null {
  if (queryType === 'tasks') {
    return measures[measure as keyof typeof measures](rows as unknown as TaskRow[]);
  }
  const known = rows.map((row) => row[measure]).filter((value) => typeof value === 'number');
  const { aggregate } = getDataSet(queryType).fields.find(({ name }) => name === measure)!;
  return aggregate === 'mean' ? mean(known) : known.length > 0 ? sum(known) : null;
}

/** A query with its time range and the panel's interval. Times in milliseconds since 1970. */
export interface Asked {
  query: QueryParts;
  from: number;
  to: number;
  intervalMs: number;
}

/** The rows that match search, filters and, where the query follows it, the time range; in order. */
export function matching({ query, from, to }: Asked, rows: Row[]): Row[] {
  const { queryType = 'tasks', search = '', filters = [], timeField = 'dateCreation', days, format } = query;
  const { searchField } = getDataSet(queryType);
  const followsRange = queryType === 'tasks' && (days === undefined || format === 'timeseries');
  return rows.filter((row) => {
    const at = row[timeField];
    return (
      String(row[searchField]).toLowerCase().includes(search.toLowerCase()) &&
      (!followsRange || (typeof at === 'number' && at >= from && at <= to)) &&
      filters.every((filter) => isMatch(filter, row[filter.key]))
    );
  });
}

function isMatch({ operator, value = '', values = [] }: Filter, is: Cell): boolean {
  const equals = (text: string) => (is === null ? text === '' : is === (typeof is === 'number' ? Number(text) : text));
  const fits = () => new RegExp(`^(?:${value})$`, 's').test(String(is ?? ''));
  const difference = typeof is === 'number' ? is - Number(value) : NaN;
  const operators: Partial<Record<string, () => boolean>> = {
    '=': () => equals(value),
    '!=': () => !equals(value),
    '=|': () => values.some(equals),
    '!=|': () => !values.some(equals),
    '=~': fits,
    '!~': () => !fits(),
    '<': () => difference < 0,
    '<=': () => difference <= 0,
    '>': () => difference > 0,
    '>=': () => difference >= 0,
  };
  const isTrue = operators[operator];
  if (!isTrue) {
    throw new Error(`the reference has no operator ${operator}`);
  }
  return isTrue();
}

/** Compares two rows. Null comes last in either order. */
export function comparer({ field, order }: Sort): (a: Row, b: Row) => number {
  const direction = order === 'asc' ? 1 : -1;
  return (a, b) => {
    const [left, right] = [a[field], b[field]];
    if (left === null || right === null) {
      return Number(left === null) - Number(right === null);
    }
    return left < right ? -direction : left > right ? direction : 0;
  };
}

/** The rows by a key. */
export function groups<T, Key>(rows: T[], keyOf: (row: T) => Key): Map<Key, T[]> {
  const found = new Map<Key, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = found.get(key);
    if (group) {
      group.push(row);
    } else {
      found.set(key, [row]);
    }
  }
  return found;
}

/** The name of a group: the values of its fields, with null as empty text. */
export const groupName = (labels: unknown[]) => JSON.stringify(labels.map((label) => label ?? ''));

/** The starts of the buckets of a line, from the one with the start of the range; only 0 for a number. */
export function bucketsOf({ query, from, to, intervalMs }: Asked): number[] {
  if (query.format !== 'timeseries') {
    return [0];
  }
  const first = Math.floor(from / intervalMs) * intervalMs;
  return Array.from({ length: Math.floor((to - first) / intervalMs) + 1 }, (_, index) => first + index * intervalMs);
}

/** The numbers of each group, one for each bucket. Without `groupBy`, there is one group, even without rows. */
export function numbersOf(asked: Asked, rows: Row[]): Map<string, Array<number | null>> {
  const { query, intervalMs } = asked;
  const { groupBy = [], timeField = 'dateCreation', format } = query;
  const found = groups(matching(asked, rows), (row) => groupName(groupBy.map((field) => row[field])));
  if (groupBy.length === 0 && found.size === 0) {
    found.set(groupName([]), []);
  }
  const bucketOf = (row: Row) =>
    format === 'timeseries' ? Math.floor(Number(row[timeField]) / intervalMs) * intervalMs : 0;
  return new Map(
    [...found].map(([name, group]) => {
      const inBuckets = groups(group, bucketOf);
      return [name, bucketsOf(asked).map((start) => measureOf(query, inBuckets.get(start) ?? []))];
    })
  );
}
