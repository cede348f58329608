import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { FrameJson } from '../../workbench/backend/frames';
import { ask } from './support/ask';
import { Events } from './support/events';
import { dataSourceFor, frameOf, noticesOf, startPlugin } from './support/plugin';
import { dataSets, readAll, type ServiceRecord } from './support/reference';
import { frozen, startService } from './support/simulator';

// Compares Compare with, Per, and the names of numbers with plain sums over the simulator's tasks.

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const now = Date.parse(frozen);
const world = { frozen, pageSize: 2_000, tasksPerDay: 100, runners: 4, historyDays: 120 };

/** N times 24 hours before the service's current time. */
const rolling = (days: number) => now - days * dayMs;

/** Ranges of totals use Grafana's clock, which moves, and the totals use the simulator's clock, which is frozen. */
const daysAgo = (days: number) => Date.now() - days * dayMs;

type Values = Array<number | null>;

/** Series by the values of their labels. */
function seriesOf({ schema, data }: FrameJson): Map<string, Values> {
  return new Map(
    schema.fields
      .slice(1)
      .map(({ labels }, index) => [Object.values(labels ?? {}).join(), data.values[index + 1] as Values])
  );
}

const near = (got: number | null | undefined, want: number) => got != null && Math.abs(got - want) < 0.0101;

describe('times', () => {
  const plugin = startPlugin();
  const service = startService(world);
  const events = new Events(world);
  let tasks: ServiceRecord[] = [];

  before(async () => {
    await events.read(service.url, world.historyDays);
    tasks = await readAll(service.url, dataSets[0], world.historyDays);
  });

  const asked = async (query: Record<string, unknown>, from: number, to: number) =>
    frameOf(await ask(plugin, dataSourceFor(service.url), query, { from, to }));

  const createdAt = (task: ServiceRecord) => Date.parse(String(task.dateCreation));

  /** Tasks created between two moments, both inclusive, by automation. */
  function counts(from: number, to: number): Map<string, number> {
    const found = new Map<string, number>();
    for (const task of tasks.filter((task) => createdAt(task) >= from && createdAt(task) <= to)) {
      found.set(String(task.activityLabel), (found.get(String(task.activityLabel)) ?? 0) + 1);
    }
    return found;
  }

  describe('sums', () => {
    for (const [compare, shift] of [
      ['previous', 7],
      ['day', 1],
      ['week', 7],
    ] as const) {
      test(`numbers of 7 days compared with the ${compare}`, async () => {
        const query = { queryType: 'automations', format: 'numeric', measure: 'savings', groupBy: ['label'], compare };
        const frame = await asked(query, daysAgo(7), Date.now());
        assert.equal(frame.schema.meta?.type, 'timeseries-wide');
        const was = events.sums('savings', rolling(7 + shift), rolling(shift));
        const is = events.sums('savings', rolling(7), now);
        const series = seriesOf(frame);
        assert.ok(series.size > 5);
        for (const [label, [first, last]] of series) {
          assert.ok(near(first, was.get(label) ?? 0), `${label}: ${first} instead of ${was.get(label)}`);
          assert.ok(near(last, is.get(label) ?? 0), `${label}: ${last} instead of ${is.get(label)}`);
        }
        assert.match(noticesOf(frame).join(), /They are compared with the totals from/);
      });
    }

    test('in rows: the value of the earlier period, and the change', async () => {
      const query = { queryType: 'runners', format: 'numeric', measure: 'tasks', groupBy: ['_id'], compare: 'week' };
      const frame = await asked({ ...query, shape: 'long' }, daysAgo(7), Date.now());
      assert.equal(frame.schema.meta?.type, 'numeric-long');
      assert.deepEqual(
        frame.schema.fields.map(({ name }) => name),
        ['_id', 'tasks', 'before', 'change']
      );
      const was = events.sums('tasks', rolling(14), rolling(7));
      const is = events.sums('tasks', rolling(7), now);
      const [ids, values, before, change] = frame.data.values;
      for (const [row, id] of ids.entries()) {
        const [first, last] = [was.get(String(id)) ?? 0, is.get(String(id)) ?? 0];
        assert.deepEqual([values[row], before[row]], [last, first]);
        assert.ok(Math.abs(Number(change[row]) - (last / first - 1)) < 1e-9);
      }
    });

    test('a line by day compared with the previous week', async () => {
      const query = { queryType: 'runners', format: 'timeseries', measure: 'tasks', groupBy: ['_id'], compare: 'week' };
      const series = seriesOf(await asked(query, daysAgo(7), Date.now()));
      assert.equal(series.size, 2 * 4);
      for (let step = 0; step < 7; step += 1) {
        const is = events.sums('tasks', rolling(7 - step), rolling(6 - step));
        const was = events.sums('tasks', rolling(14 - step), rolling(13 - step));
        for (const [label, values] of series) {
          const [first, second] = label.split(',');
          const want = label.includes('week') ? was.get(first === 'week' ? second : first) : is.get(label);
          assert.ok(near(values[step], want ?? 0), `${label}, step ${step}: ${values[step]} instead of ${want}`);
        }
      }
    });

    test('a line by week, each to the nearest whole days', async () => {
      const query = { queryType: 'automations', format: 'timeseries', measure: 'taskCount', per: 'week' };
      const at = Date.now();
      const frame = await asked(query, at - 40 * dayMs, at);
      const [times, values] = frame.data.values as number[][];
      assert.ok(times.length >= 6 && times.length <= 7, `${times.length} weeks`);
      const days = [...times.map((time) => Math.round((at - time) / dayMs)), 0];
      for (const [step, time] of times.entries()) {
        assert.equal(new Date(time).getUTCDay(), 1, 'Monday');
        assert.equal(time % dayMs, 0, 'midnight');
        const sums = events.sums('taskCount', rolling(days[step]), rolling(days[step + 1]));
        assert.equal(
          values[step],
          [...sums.values()].reduce((left, right) => left + right, 0)
        );
      }
      assert.match(noticesOf(frame).join(), /Each point covers a week/);
    });
  });

  describe('tasks', () => {
    test('numbers compared with the same weekday', async () => {
      const query = { format: 'numeric', measure: 'tasks', groupBy: ['activityLabel'], compare: 'week' };
      const frame = await asked(query, now - dayMs, now);
      const [is, was] = [counts(now - dayMs, now), counts(now - 8 * dayMs, now - 7 * dayMs)];
      const series = seriesOf(frame);
      assert.deepEqual([...series.keys()].sort(), [...new Set([...is.keys(), ...was.keys()])].sort());
      for (const [label, values] of series) {
        assert.deepEqual(values, [was.get(label) ?? 0, is.get(label) ?? 0], label);
      }
      assert.deepEqual(frame.data.values[0], [now - 8 * dayMs, now - dayMs]);
    });

    test('days in São Paulo, compared with the previous month', async () => {
      const timezone = 'America/Sao_Paulo';
      const query = { format: 'timeseries', measure: 'tasks', per: 'day', compare: 'month', timezone };
      const frame = await asked(query, now - 9 * dayMs, now);
      const [times, is, was] = frame.data.values as number[][];
      const dateOf = new Intl.DateTimeFormat('sv', { timeZone: timezone });
      const monthBefore = (at: number) => {
        const date = new Date(at);
        date.setUTCMonth(date.getUTCMonth() - 1);
        return date.getTime();
      };
      const perDay = (from: number, to: number) => {
        const found = new Map<string, number>();
        for (const at of tasks.map(createdAt).filter((at) => at >= from && at <= to)) {
          found.set(dateOf.format(at), (found.get(dateOf.format(at)) ?? 0) + 1);
        }
        return found;
      };
      const [isByDay, wasByDay] = [
        perDay(now - 9 * dayMs, now),
        perDay(monthBefore(now - 9 * dayMs), monthBefore(now)),
      ];
      assert.equal(times.length, 10);
      for (const [step, time] of times.entries()) {
        assert.equal(time % dayMs, 3 * hourMs, 'midnight in São Paulo');
        assert.equal(is[step], isByDay.get(dateOf.format(time)) ?? 0);
        assert.equal(was[step], wasByDay.get(dateOf.format(monthBefore(time))) ?? 0, dateOf.format(time));
      }
      const line = frame.schema.fields[2] as unknown as { config: Record<string, unknown> };
      assert.equal(line.config.displayNameFromDS, 'Tasks (previous month)');
      assert.deepEqual(line.config.custom, { lineStyle: { dash: [10, 10], fill: 'dash' } });
    });

    test('per hour, regardless of the width of the panel', async () => {
      const query = { format: 'timeseries', measure: 'tasks', per: 'hour' };
      const answer = await ask(plugin, dataSourceFor(service.url), query, {
        from: now - 6 * hourMs,
        to: now,
        intervalMs: 30_000,
      });
      const [times, values] = frameOf(answer).data.values as number[][];
      assert.ok(times.length <= 7);
      for (const [step, time] of times.entries()) {
        const want = tasks
          .map(createdAt)
          .filter((at) => at >= Math.max(time, now - 6 * hourMs) && at < time + hourMs && at <= now);
        assert.equal(values[step], want.length);
      }
    });
  });

  describe('before the history of the service', () => {
    for (const queryType of ['tasks', 'automations', 'runners']) {
      test(`${queryType}: null, with a notice`, async () => {
        const measure = queryType === 'automations' ? 'taskCount' : 'tasks';
        const query = { queryType, format: 'numeric', measure, compare: 'previous' };
        const days = queryType === 'tasks' ? 70 : 130;
        const frame = await asked(query, daysAgo(days), Date.now());
        const [[was, is]] = [...seriesOf(frame).values()];
        assert.equal(was, null);
        assert.ok(is !== null && is > 0);
        assert.match(noticesOf(frame).join(), /nothing to compare with/i);
      });
    }
  });
});
