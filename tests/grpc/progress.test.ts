import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, test } from 'node:test';
import type { FrameJson } from '../../workbench/backend/frames';
import type { DataSource } from '../../workbench/backend/wire';
import { ask, valuesOf } from './support/ask';
import { dataSourceFor, frameOf, startPlugin } from './support/plugin';
import { frozen, startService } from './support/simulator';

interface Progress {
  unit: string;
  read: number;
  of?: number;
  rows: number;
  frame?: FrameJson;
  error?: string;
}

const hour = 3_600_000;
const table = { queryType: 'tasks' };
const line = { queryType: 'tasks', format: 'timeseries', measure: 'tasks', groupBy: ['state'] };
const number = { queryType: 'tasks', format: 'numeric', measure: 'tasks' };

describe('a query while it loads', () => {
  const plugin = startPlugin();
  // 50 pages, eight at once: seven round trips.
  const service = startService({ frozen, tasksTotal: 1_000, latency: 200 });
  const range = { from: Date.parse(frozen) - 30 * 24 * hour, to: Date.parse(frozen) };
  const requests = async () => (await service.requests()).total;
  beforeEach(() => service.reset());

  const look = async (dataSource: DataSource, ...queries: object[]): Promise<Array<Progress | null>> => {
    const sent = queries.map((query) => ({
      ...query,
      ...range,
      elapsed: 0,
      intervalMs: hour,
      maxDataPoints: 1_000,
      rows: true,
    }));
    const body = new TextEncoder().encode(JSON.stringify({ queries: sent }));
    const answer = await plugin.backend.callResource(dataSource, {
      method: 'POST',
      path: 'progress',
      url: 'progress',
      body,
    });
    assert.equal(answer.status, 200, answer.body.toString());
    return JSON.parse(answer.body.toString());
  };

  /** Everything that was visible of queries while they ran, and their responses. */
  async function watch(dataSource: DataSource, queries: Array<Record<string, unknown>>, asked = queries) {
    const answers = Promise.all(asked.map((query) => ask(plugin, dataSource, query, { ...range, intervalMs: hour })));
    const seen: Array<Array<Progress | null>> = [];
    let done = false;
    void answers.finally(() => (done = true));
    while (!done) {
      seen.push(await look(dataSource, ...queries));
      await sleep(50);
    }
    return { seen, answers: await answers };
  }

  test('a table shows its first rows, and then more and more of them', async () => {
    const { seen, answers } = await watch(dataSourceFor(service.url), [table]);
    const ids = valuesOf(frameOf(answers[0]), 'id')!;
    assert.equal(ids.length, 1_000);
    const partial = seen.flatMap(([each]) => (each?.frame ? [each] : []));
    const lengths = new Set<number>();
    for (const { read, of, rows, frame } of partial) {
      const shown = valuesOf(frame!, 'id')!;
      assert.deepEqual(shown, ids.slice(0, shown.length));
      assert.deepEqual([rows, of], [read * 20, 50]);
      lengths.add(shown.length);
    }
    assert.ok(lengths.size >= 4, [...lengths].join());
    assert.ok(Math.min(...lengths) <= 40, 'the first rows are visible after one round trip');
  });

  test('a line is drawn as far back as it is known, and never differs from the final one', async () => {
    const { seen, answers } = await watch(dataSourceFor(service.url), [line]);
    const all = frameOf(answers[0]);
    const named = (frame: FrameJson) =>
      new Map(frame.schema.fields.map(({ labels }, index) => [labels?.state, frame.data.values[index] as unknown[]]));
    let known = 0;
    for (const { frame } of seen.flatMap(([each]) => (each?.frame ? [each] : []))) {
      for (const [state, values] of named(frame!)) {
        const final = named(all).get(state)!;
        for (const [index, value] of values.entries()) {
          assert.ok(value === null || value === final[index], `${state} ${index}: ${value} is not ${final[index]}`);
          known += value === null ? 0 : 1;
        }
      }
    }
    assert.ok(known > 100, String(known));
  });

  test('no number is shown before it is correct, only the progress', async () => {
    const { seen, answers } = await watch(dataSourceFor(service.url), [number]);
    assert.deepEqual(valuesOf(frameOf(answers[0]), 'tasks'), [1_000]);
    const partial = seen.flatMap(([each]) => each ?? []);
    assert.ok(partial.some(({ read, of }) => read > 1 && of === 50));
    assert.ok(partial.every(({ frame }) => frame === undefined));
  });

  test('twelve watched panels cost the service no more than one that is not watched', async () => {
    await ask(plugin, dataSourceFor(service.url), table, { ...range, intervalMs: hour });
    const alone = await requests();
    await service.reset();
    const panels = Array.from({ length: 12 }, (_, index) => [table, line, number][index % 3]);
    const { seen } = await watch(dataSourceFor(service.url), panels);
    assert.ok(seen.some((answers) => answers.every((each) => each && each.read > 1)));
    assert.equal(await requests(), alone);
  });

  test('watching reads nothing, causes no login, and keeps nothing', { timeout: 60_000 }, async () => {
    const dataSource = dataSourceFor(service.url);
    assert.deepEqual(await look(dataSource, table, line, number), [null, null, null]);
    assert.equal(await requests(), 0);
    const leaving = new AbortController();
    const left = ask(plugin, dataSource, table, { ...range, signal: leaving.signal }).catch(() => undefined);
    while (!((await look(dataSource, table))[0]?.rows ?? 0)) {
      await sleep(20);
    }
    leaving.abort();
    await left;
    // The read ends with its last caller, regardless of how often it is watched.
    while ((await look(dataSource, table))[0]) {
      await sleep(20);
    }
    // The service notices it a moment later.
    while ((await service.requests()).inFlight > 0) {
      await sleep(20);
    }
    const { total } = await service.requests();
    assert.ok(total < 40, `${total} requests`);
    // The parts were not cached: the same query reads all pages.
    await service.reset();
    assert.equal(valuesOf(frameOf(await ask(plugin, dataSource, table, range)), 'id')?.length, 1_000);
    assert.ok((await requests()) >= 50);
  });

  test('an invalid query is reported as by the query itself', async () => {
    const [wrong] = await look(dataSourceFor(service.url), { ...table, format: 'sum' });
    assert.match(wrong?.error ?? '', /unknown format "sum"/);
  });

  test('progress contains neither key nor token', async () => {
    const { seen } = await watch(dataSourceFor(service.url), [table]);
    assert.doesNotMatch(JSON.stringify(seen), /demo-key|token/);
  });
});
