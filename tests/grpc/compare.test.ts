import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ask } from './support/ask';
import { Events } from './support/events';
import { dataSourceFor, frameOf, noticesOf, startPlugin } from './support/plugin';
import { dataSets, readAll, type ServiceRecord } from './support/reference';
import { dayMs, daysAgo, isClose, seriesOf } from './support/series';
import { frozen, startService } from './support/simulator';

// Compares Compare with, Per, and the names of numbers with plain sums over the simulator's tasks.

const hourMs = 3_600_000;
const now = Date.parse(frozen);
const world = { frozen, pageSize: 2_000, tasksPerDay: 100, runners: 4, historyDays: 120 };

/** N times 24 hours before the service's current time. */
const rolling = (days: number) => now - days * dayMs;

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
          assert.ok(isClose(first, was.get(label) ?? 0), `${label}: ${first} instead of ${was.get(label)}`);
          assert.ok(isClose(last, is.get(label) ?? 0), `${label}: ${last} instead of ${is.get(label)}`);
        }
        assert.match(noticesOf(frame).join(), /They are compared with the totals from/);
      });
    }
  });

  describe('tasks', () => {
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
