import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { SimulatorOptions } from '../../simulator';
import type { FrameJson } from '../../workbench/backend/frames';
import { ask, noticesWithSeverity } from './support/ask';
import { Events } from './support/events';
import { dataSourceFor, frameOf, noticesOf, type Plugin, startPlugin } from './support/plugin';
import { frozen, startService } from './support/simulator';

// Lines and numbers of automations and runners are differences of the service's totals up to now. These tests compare
// them, point by point, with plain sums over the simulator's tasks.

const dayMs = 86_400_000;
const now = Date.parse(frozen);
const keyOf = { automations: 'label', runners: '_id' };

const midnightOf = (at: number) => Math.floor(at / dayMs) * dayMs;

/** Ranges use Grafana's clock, which moves, and the totals use the simulator's clock, which is frozen. */
const daysAgo = (days: number) => Date.now() - days * dayMs;

/** A frozen service with its events, for the tests of a describe block. */
function startWorld(options: Partial<SimulatorOptions>) {
  const world = { frozen, pageSize: 2_000, tasksPerDay: 200, runners: 4, ...options };
  const service = startService(world);
  const events = new Events(world);
  before(() => events.read(service.url, world.historyDays ?? 30));
  return { service, events };
}

/** Values of each series by the value of its only label; "" if it has none. */
function seriesOf(frame: FrameJson): Map<string, Array<number | null>> {
  return new Map(
    frame.schema.fields.slice(1).map(({ labels }, index) => [
      // The API's key is the only label of these queries.
      Object.values(labels ?? {})[0] ?? '',
      frame.data.values[index + 1] as Array<number | null>,
    ])
  );
}

/** The service rounds savings to cents in each window, and items are whole numbers. */
const near = (got: number | null | undefined, want: number) => got != null && Math.abs(got - want) < 0.0101;

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
      assert.ok(near(values[step], want), `${measure} of ${label}, step ${step}: ${values[step]} instead of ${want}`);
      busy += want > 0 ? 1 : 0;
    }
    assert.deepEqual(
      [...expected.keys()].filter((label) => !lines.has(label) && expected.get(label) !== 0),
      []
    );
  }
  return busy;
}

/** far, far − step, … near. */
const falling = (far: number, step = 1, end = 0) =>
  Array.from({ length: (far - end) / step + 1 }, (_, index) => far - index * step);

/** N times 24 hours ago. */
const rolling = (days: number) => now - days * dayMs;

async function line(plugin: Plugin, url: string, query: Record<string, unknown>, from: number, to = 0, stepDays = 0) {
  const asked = { format: 'timeseries', ...query };
  const when = { from: daysAgo(from), to: daysAgo(to), intervalMs: stepDays * dayMs || 3_600_000 };
  return { frame: frameOf(await ask(plugin, dataSourceFor(url), asked, when)), ...when };
}

describe('lines of automations and runners', () => {
  const plugin = startPlugin();
  const { service, events } = startWorld({ historyDays: 90 });

  for (const [measure, { set }] of Object.entries(events.measures)) {
    test(`${measure} of ${set}, day by day`, async () => {
      const query = { queryType: set, measure, groupBy: [keyOf[set]] };
      const { frame, to } = await line(plugin, service.url, query, 30);
      assert.equal(frame.schema.meta?.type, 'timeseries-wide');
      assert.deepEqual(frame.schema.meta?.typeVersion, [0, 1]);
      assert.deepEqual(
        frame.data.values[0],
        falling(30, 1, 1).map((days) => to - days * dayMs)
      );
      assert.ok(checkLine(frame, events, measure, falling(30), rolling) > 50);
      assert.equal(noticesOf(frame).length, 1, 'the steps');
    });
  }

  test('weeks', async () => {
    const query = { queryType: 'automations', measure: 'savings', groupBy: ['label'] };
    const { frame } = await line(plugin, service.url, query, 84, 0, 7);
    assert.ok(checkLine(frame, events, 'savings', falling(84, 7), rolling) > 100);
    assert.match(noticesOf(frame)[0], /^Each point covers 7 days of 24 hours/);
  });

  test('a range that has ended', async () => {
    const query = { queryType: 'automations', measure: 'taskCount', groupBy: ['label'] };
    const { frame } = await line(plugin, service.url, query, 40.3, 10.3);
    assert.ok(checkLine(frame, events, 'taskCount', falling(40, 1, 10), rolling) > 100);
  });

  test('windows are shared with other queries, and reported', async () => {
    await service.reset();
    const dataSource = dataSourceFor(service.url);
    const query = { queryType: 'automations', format: 'timeseries', measure: 'savings', days: 20 };
    const [first, second, table] = await plugin.askAll(dataSource, [
      query,
      { ...query, measure: 'taskCount', groupBy: ['label'] },
      { queryType: 'automations', days: 7 },
    ]);
    frameOf(second);
    frameOf(table);
    const { meta } = frameOf(first).schema;
    assert.equal((await service.requests()).byRoute.automation, 20);
    assert.match(String(meta?.executedQueryString), /filterBy=20.* … .*filterBy=1\b.*\(20 windows\)$/);
    const stats = meta?.stats as Array<{ displayName: string; value: number }>;
    assert.equal(stats.find(({ displayName }) => displayName === 'Requests to the service')?.value, 20);
    assert.equal(stats.find(({ displayName }) => displayName === 'Rows read')?.value, 240);
  });
});

describe('numbers of a range that has ended', () => {
  const plugin = startPlugin();
  const { service, events } = startWorld({ historyDays: 90 });

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
        assert.ok(near(values[row] as number, expected), `${label}: ${values[row]} instead of ${expected}`);
      }
      assert.match(noticesOf(frame).join(), /^These totals run from .* to .*: the service counts whole days/);
    });
  }
});

describe('a year', () => {
  const plugin = startPlugin();
  const { service, events } = startWorld({ historyDays: 365, tasksPerDay: 40, latency: 20 });

  test('takes 53 windows of weeks, at most 8 requests at once', async () => {
    await service.reset();
    const query = { queryType: 'automations', measure: 'taskCount', groupBy: ['label'] };
    const { frame } = await line(plugin, service.url, query, 365);
    // The service does not remember the last six days of the longest window.
    const edge = (days: number) => rolling(Math.min(days, 365));
    assert.ok(checkLine(frame, events, 'taskCount', falling(371, 7), edge) > 400);
    const { byRoute, maxInFlight } = await service.requests();
    assert.equal(byRoute.automation, 53);
    assert.ok(maxInFlight <= 8 && maxInFlight > 4, `${maxInFlight} at once`);
    assert.match(noticesOf(frame)[0], /more than 60 windows/);
  });
});

describe('automations that appear and disappear', () => {
  const plugin = startPlugin();
  const young = 'stock-sync';
  const gone = 'invoice-intake';
  const { service, events } = startWorld({ listed: 'active' });
  const query = { queryType: 'automations', measure: 'taskCount', groupBy: ['label'] };

  test('a new automation has no tasks before it existed', async () => {
    await service.post(`automations/${young}`, { secondsOld: 3.5 * 86_400 });
    await events.read(service.url, 30);
    const { frame } = await line(plugin, service.url, query, 20);
    checkLine(frame, events, 'taskCount', falling(20), rolling);
    const values = seriesOf(frame).get(young)!;
    assert.deepEqual(values.slice(0, 16), Array(16).fill(0));
    assert.ok(values.slice(17).some((value) => value! > 0));
    assert.equal(noticesOf(frame).length, 1);
  });

  test("automations that a short window doesn't list have no tasks in it", async () => {
    // A window lists the automations that were active in it: short windows list few.
    const { frame } = await line(plugin, service.url, query, 30);
    assert.ok(seriesOf(frame).size === 12);
    checkLine(frame, events, 'taskCount', falling(30), rolling);
  });

  test('an automation deleted between two reads leaves no wrong number', async () => {
    const dataSource = dataSourceFor(service.url);
    const lines = async () => frameOf(await ask(plugin, dataSource, { ...query, format: 'timeseries', days: 5 }));
    // A panel reads the last three days, which stay in the cache.
    await plugin.ask(dataSource, { queryType: 'automations', days: 3 });
    await service.post(`automations/${gone}`, { listed: false });
    const after = await lines();
    assert.equal(seriesOf(after).has(gone), false);
    assert.match(
      noticesWithSeverity(after).filter(({ severity }) => severity === 'warning')[0].text,
      /^some differences of automations are null \(1 in total\)/
    );
    const others = seriesOf(after);
    for (const [step, days] of falling(5, 1, 1).entries()) {
      for (const [label, want] of events.sums('taskCount', rolling(days), rolling(days - 1))) {
        assert.ok(label === gone || others.get(label)![step] === want);
      }
    }
    await service.post(`automations/${gone}`, { listed: true });
  });
});

describe('a service that counts whole calendar days', () => {
  const plugin = startPlugin();
  const { service, events } = startWorld({ days: 'calendar' });
  // The newest window ends now; all others begin at the previous midnight.
  const calendar = (days: number) => (days === 0 ? now : midnightOf(rolling(days)) - 1);

  for (const [measure, { set }] of Object.entries(events.measures)) {
    test(`${measure} of ${set}: points are calendar days, and none is negative`, async () => {
      const query = { queryType: set, measure, groupBy: [keyOf[set]] };
      const { frame } = await line(plugin, service.url, query, 20);
      assert.ok(checkLine(frame, events, measure, falling(20), calendar) > 50);
      assert.ok([...seriesOf(frame).values()].flat().every((value) => value !== null && value >= 0));
    });
  }
});
