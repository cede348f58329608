import { type Task, tasksPage } from './hostile';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A task that is being made. Times are in milliseconds since the incident. */
interface Draft {
  created: number;
  started?: number;
  ended?: number;
  state: string;
  status: string | null;
  items: number;
  failed: number;
}

/** An automation, and what becomes of its tasks after the incident: nothing, or another task, or none. */
export interface World {
  name: string;
  /** The name of the automation; by default, one for each of its hours. */
  label?: string;
  /** The runner; by default, runner-1. */
  runner?: string;
  /** Times of creation since the incident, of tasks from 30 days before until `until`. */
  times: (until: number) => number[];
  then?: (task: Draft, index: number) => Draft | undefined;
  /** What is said, as reason/severity, so many hours after the incident; empty: nothing. */
  said: Array<[hours: number, ...findings: string[]]>;
}

const every =
  (step: number, offset = 0) =>
  (until: number) =>
    Array.from({ length: Math.floor((until + 30 * day) / step) + 2 }, (_, n) => offset - 30 * day + n * step).filter(
      (at) => at <= until
    );
export const hourly = every(hour);
const daily = every(day, 7 * hour);

/** Arrivals by chance, one an hour: always the same ones. */
function byChance(until: number): number[] {
  let seed = 7;
  const times = [];
  for (let at = -30 * day; at <= until;) {
    seed = (seed * 48271) % 2147483647;
    at -= Math.log(seed / 2147483647) * hour;
    times.push(at);
  }
  return times.filter((at) => at <= until);
}

const gone = () => undefined;
const failed = (task: Draft): Draft => ({ ...task, status: 'FAILED' });
const timedOut = (task: Draft): Draft => ({ ...task, state: 'TIMEOUT', status: null });
const withItems = (items: number, failed: number) => (task: Draft) => ({ ...task, items, failed });
const partial = (task: Draft): Draft => ({ ...task, status: 'PARTIALLY_COMPLETED', failed: 10 });
const untilRepaired = (task: Draft) => (task.created < 2 * day ? failed(task) : task);
const slower = (task: Draft): Draft => ({ ...task, ended: task.created + 51 * minute });
const waiting = (task: Draft): Draft => ({
  ...task,
  state: 'START',
  status: null,
  started: undefined,
  ended: undefined,
});
const hanging = (task: Draft, index: number): Draft | undefined =>
  index === 0 ? { ...task, state: 'RUNNING', status: null, ended: undefined } : undefined;

export const worlds: World[] = [
  { name: 'hourly', times: hourly, said: [[24]] },
  { name: 'daily', times: daily, said: [[31]] },
  { name: 'by chance, one an hour', times: byChance, said: [[24]] },
  { name: 'hourly, always partial', times: hourly, then: partial, said: [[48]] },
  {
    ...{ name: 'hourly stops', times: hourly, then: gone },
    said: [[1], [2.2, 'silent/2'], [9, 'silent/3'], [250, 'silent/3']],
  },
  { name: 'daily stops', times: daily, then: gone, said: [[7], [11, 'silent/2'], [170, 'silent/3']] },
  { name: 'hourly: all FAILED', times: hourly, then: failed, said: [[1.2], [2.3, 'failing/3']] },
  { name: 'the same, repaired after 2 days', times: hourly, then: untilRepaired, said: [[48, 'failing/3'], [52]] },
  { name: 'hourly: all TIMEOUT', times: hourly, then: timedOut, said: [[1.2], [2.3, 'failing/3'], [72, 'failing/3']] },
  { name: 'hourly: all items failed', times: hourly, then: withItems(100, 95), said: [[1.2], [2.3, 'failing/3']] },
  { name: 'hourly: 0 items', times: hourly, then: withItems(0, 0), said: [[1], [2.8, 'empty/2'], [72, 'empty/2']] },
  { name: 'daily job fails', times: daily, then: failed, said: [[20], [32, 'failing/2'], [57, 'failing/3']] },
  {
    ...{ name: 'hourly: hangs, none after', times: hourly, then: hanging },
    said: [[0.2], [0.7, 'slow/1'], [1.2, 'slow/2'], [72, 'slow/2']],
  },
  { name: 'hourly: 10 x slower', times: hourly, then: slower, said: [[0.2], [5, 'slow/2'], [72, 'slow/2']] },
  {
    ...{ name: 'hourly: no runner', times: hourly, then: waiting },
    said: [[0.3], [0.8, 'waiting/2'], [3, 'waiting/3'], [72, 'waiting/3']],
  },
];

/** The name of an automation: a world as it is so many hours after its incident. */
export const labelOf = ({ name, label }: World, hours: number) => label ?? `${name} @ ${hours} h`;

/** The tasks of a world now. */
function tasksOf(world: World, hours: number, now: number): Task[] {
  const incident = now - hours * hour;
  const normal = (created: number): Draft => ({
    ...{ created, started: created + minute, ended: created + 6 * minute },
    ...{ state: 'FINISHED', status: 'SUCCESS', items: 100, failed: 0 },
  });
  const times = world.times(now - incident);
  const before = times.filter((at) => at < 0).length;
  const drafts = times.flatMap((at, index) => {
    const changed = at < 0 ? normal(at) : world.then ? world.then(normal(at), index - before) : normal(at);
    return changed ?? [];
  });
  return drafts
    .filter(({ created }) => incident + created >= now - 30 * day)
    .map(({ created, started = Infinity, ended = Infinity, state, status, items, failed }) => {
      const [waits, runs] = [started, ended].map((at) => incident + at > now);
      const isOpen = waits || runs;
      return {
        activityLabel: labelOf(world, hours),
        state: waits ? 'START' : runs ? 'RUNNING' : state,
        finishStatus: isOpen ? null : status,
        machineId: waits ? null : world.runner,
        created: incident + created,
        started: waits ? null : incident + started,
        ended: isOpen ? null : incident + ended,
        items: isOpen ? null : items,
        failedItems: isOpen ? null : Math.min(failed, items),
      };
    });
}

/** A page with the tasks of all worlds, at all of their hours, with the newest first. */
export function pageOf(listed: World[], now: number): string {
  return tasksPage(listed.flatMap((world) => world.said.flatMap(([hours]) => tasksOf(world, hours, now))));
}
