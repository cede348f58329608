import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { SimulatorOptions } from '../../simulator';
import type { FrameJson } from '../../workbench/backend/frames';
import { ask } from './support/ask';
import { Events } from './support/events';
import { dataSourceFor, frameOf, noticesOf, startPlugin } from './support/plugin';
import { dayMs, daysAgo, isClose, seriesOf } from './support/series';
import { frozen, startService } from './support/simulator';

// Lines and numbers of automations and runners are differences of the service's totals up to now. These tests compare
// them, point by point, with plain sums over the simulator's tasks.

const now = Date.parse(frozen);
const keyOf = { automations: 'label', runners: '_id' };

/** N times 24 hours ago. */
const rolling = (days: number) => now - days * dayMs;

/** Midnight before that, but the newest window ends now. */
const calendar = (days: number) => (days === 0 ? now : Math.floor(rolling(days) / dayMs) * dayMs - 1);

/** A frozen service with its events, for the tests of a describe block. */
function startWorld(options: Partial<SimulatorOptions>) {
  const world = { frozen, pageSize: 2_000, tasksPerDay: 200, runners: 4, historyDays: 90, ...options };
  const service = startService(world);
  const events = new Events(world);
  before(() => events.read(service.url, world.historyDays));
  return { service, events };
}

/**
 * Checks each point of each series; `edge` returns the start of a window of a number of days. Returns how many points
 * were not 0.
 */
function checkLine(frame: FrameJson, events: Events, measure: string, days: number[], edge: (days: number) => number) {
  let busy = 0;
  const lines = seriesOf(frame);
  for (let step = 0; step < days.length - 1; step += 1) {
    const expected = events.sums(measure, edge(days[step]), edge(days[step + 1]));
    for (const [label, values] of lines) {
      const want = expected.get(label) ?? 0;
      assert.equal(values.length, days.length - 1);
      assert.ok(
        isClose(values[step], want),
        `${measure} of ${label}, step ${step}: ${values[step]} instead of ${want}`
      );
      busy += want > 0 ? 1 : 0;
    }
    assert.deepEqual(
      [...expected.keys()].filter((label) => !lines.has(label) && expected.get(label) !== 0),
      []
    );
  }
  return busy;
}

for (const [days, edge] of Object.entries({ rolling, calendar })) {
  describe(`lines of a service whose days are ${days}`, () => {
    const plugin = startPlugin();
    const { service, events } = startWorld({ days: days as SimulatorOptions['days'] });

    for (const [measure, { set }] of Object.entries(events.measures)) {
      test(`${measure} of ${set}, day by day`, async () => {
        const query = { queryType: set, format: 'timeseries', measure, groupBy: [keyOf[set]] };
        const to = Date.now();
        const frame = frameOf(await ask(plugin, dataSourceFor(service.url), query, { from: to - 30 * dayMs, to }));
        assert.equal(frame.schema.meta?.type, 'timeseries-wide');
        assert.deepEqual(frame.schema.meta?.typeVersion, [0, 1]);
        const steps = Array.from({ length: 31 }, (_, index) => 30 - index);
        assert.deepEqual(
          frame.data.values[0],
          steps.slice(0, -1).map((step) => to - step * dayMs)
        );
        assert.ok(checkLine(frame, events, measure, steps, edge) > 50);
        assert.equal(noticesOf(frame).length, 1, 'the steps');
      });
    }
  });
}

describe('numbers of a range that has ended', () => {
  const plugin = startPlugin();
  const { service, events } = startWorld({});

  const [from, to, far, close] = [50.6, 20.4, 51, 20];
  for (const [measure, { set }] of Object.entries(events.measures)) {
    test(`${measure} of ${set} from ${from} to ${to} days ago`, async () => {
      const query = { queryType: set, format: 'numeric', measure, groupBy: [keyOf[set]], shape: 'long' };
      const range = { from: daysAgo(from), to: daysAgo(to) };
      const frame = frameOf(await plugin.ask(dataSourceFor(service.url), query, range));
      const want = events.sums(measure, rolling(far), rolling(close));
      const [labels, values] = frame.data.values;
      assert.ok(want.size > 0);
      for (const [row, label] of labels.entries()) {
        const expected = want.get(String(label)) ?? 0;
        assert.ok(isClose(values[row] as number, expected), `${label}: ${values[row]} instead of ${expected}`);
      }
      assert.match(noticesOf(frame).join(), /^These totals run from .* to .*: the service counts whole days/);
    });
  }
});
