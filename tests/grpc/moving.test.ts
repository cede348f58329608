import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { envelope, json } from './support/answers';
import type { FrameJson } from '../../workbench/backend/frames';
import { ask, noticesWithSeverity, valuesOf } from './support/ask';
import { withHostile, type Handler } from './support/hostile';
import { dataSourceFor, frameOf, startPlugin, type Plugin } from './support/plugin';

const query = { queryType: 'tasks', days: 30 };
const size = 20;

/** What can happen before a request is answered. */
type Move = 'in front' | 'out' | 'one in, one out';

/** A moment for each row; newer rows have later ones. */
const dateOf = (id: number) => new Date(Date.UTC(2026, 0, 1) + id * 60_000).toISOString();

/** Rows that are added and removed while they are read. The newest is first, as in the service. */
class World {
  rows: number[];
  /** Every row removed so far. */
  readonly gone = new Set<number>();
  private newest: number;
  /** Half of the worlds have dates that show that the newest is first; then, nothing must be read again to know it. */
  private readonly dated: boolean;
  private readonly generator;

  constructor(
    seed: number,
    private readonly moves: readonly Move[]
  ) {
    this.generator = xoroshiro128plus(seed);
    this.dated = seed % 2 === 0;
    this.newest = this.upTo(40, 300);
    this.rows = Array.from({ length: this.newest }, (_, index) => this.newest - index);
    this.initial = [...this.rows];
    this.restless = this.upTo(1, 40);
  }

  readonly initial: number[];
  /** Requests before which something can happen; after that, the world does not change. */
  restless: number;

  /** A number from `least` to `most`. */
  upTo(least: number, most: number): number {
    return uniformInt(this.generator, least, most);
  }

  step(): void {
    this.restless -= 1;
    if (this.restless < 0 || this.upTo(0, 2) === 0) {
      return;
    }
    const move = this.moves[this.upTo(0, this.moves.length - 1)];
    const times = this.upTo(1, 3);
    for (let time = 0; time < times; time += 1) {
      if (move !== 'in front' && this.rows.length > 1) {
        const [left] = this.rows.splice(this.upTo(0, this.rows.length - 1), 1);
        this.gone.add(left);
      }
      if (move !== 'out') {
        this.rows.unshift((this.newest += 1));
      }
    }
  }

  /** Returns a page as it is at one moment, with different delays. */
  readonly handler: Handler = async ({ page }, response) => {
    await sleep(this.upTo(0, 6));
    this.step();
    const body = envelope(
      this.rows.map((id) => ({ id, state: 'FINISHED', ...(this.dated && { dateCreation: dateOf(id) }) })),
      page,
      size
    );
    await sleep(this.upTo(0, 6));
    json(response, body);
  };
}

interface Outcome {
  seed: number;
  /** No row that existed throughout is missing. */
  complete: boolean;
  /** A warning says that rows may be missing. */
  noticed: boolean;
  requests: number;
  /** The same query, sent again, was answered without a request. */
  kept: boolean;
}

/** Warnings that rows may be missing, as opposed to those about duplicates. */
function warningsOf(frame: FrameJson): string[] {
  const warnings = noticesWithSeverity(frame).filter(({ severity }) => severity === 'warning');
  return warnings.map(({ text }) => text).filter((text) => /missing|incomplete|complete|not be found/i.test(text));
}

/** Reads a moving world once, and once more after it has stopped. */
async function run(plugin: Plugin, seed: number, moves: readonly Move[], texts: Set<string>): Promise<Outcome> {
  const world = new World(seed, moves);
  return withHostile({ tasks: world.handler }, async (service) => {
    const dataSource = dataSourceFor(service.url, { cacheTTL: 3_600, maxConcurrentRequests: 4 });
    const frame = frameOf(await ask(plugin, dataSource, query));
    const requests = service.of('tasks').length;
    const ids = valuesOf(frame, 'id') as number[];
    const read = new Set(ids);
    const complete = world.initial.every((id) => read.has(id) || world.gone.has(id));
    const warnings = warningsOf(frame);
    warnings.forEach((text) => texts.add(text.replace(/\d+/g, 'N')));
    assert.equal(read.size, ids.length, `seed ${seed}: no duplicate row`);
    const newest = Math.max(...world.rows, ...world.gone);
    assert.ok(Math.min(...ids) > 0 && Math.max(...ids) <= newest, `seed ${seed}: no row that never existed`);

    world.restless = 0;
    const again = frameOf(await ask(plugin, dataSource, query));
    const kept = service.of('tasks').length === requests;
    if (!kept) {
      assert.deepEqual(
        valuesOf(again, 'id'),
        world.rows,
        `seed ${seed}: after the world has stopped, everything is read`
      );
    }
    return { seed, complete, noticed: warnings.length > 0, requests, kept };
  });
}

describe('j. rows that move while they are read', () => {
  const plugin = startPlugin();
  // pkg/list runs thousands; these show that nothing on the way to a frame drops what they found.
  const runs = 35;

  for (const moves of [['in front'], ['out'], ['one in, one out'], ['in front', 'out', 'one in, one out']] as const) {
    test(`${runs} worlds where rows move ${moves.join(' or ')}: complete, or a warning, and then not cached`, async (t) => {
      const texts = new Set<string>();
      const outcomes: Outcome[] = [];
      for (let seed = 0; seed < runs; seed += 7) {
        const seven = Array.from({ length: 7 }, (_, index) => run(plugin, seed + index + 1, moves, texts));
        outcomes.push(...(await Promise.all(seven)));
      }
      const seedsOf = (of: (outcome: Outcome) => boolean) => outcomes.filter(of).map(({ seed }) => seed);
      const complete = seedsOf((outcome) => outcome.complete).length;
      const noticed = seedsOf((outcome) => outcome.noticed).length;
      const silent = seedsOf((outcome) => !outcome.complete && !outcome.noticed);
      const kept = seedsOf((outcome) => outcome.noticed && outcome.kept);
      const requests = outcomes.reduce((sum, outcome) => sum + outcome.requests, 0);
      t.diagnostic(
        `${runs} runs, ${requests} requests: ${complete} complete, ${noticed} noticed, ` +
          `${silent.length} lost rows without a warning, ${kept.length} incomplete ones cached`
      );
      texts.forEach((text) => t.diagnostic(text));
      assert.equal(silent.join(), '', 'seeds of reads that lost rows without a warning');
      assert.equal(kept.join(), '', 'seeds of incomplete reads that were cached');
    });
  }

  test('a world that does not change: every row, no notice, no page twice, and the second query is answered from the cache', async () => {
    const world = new World(2, ['out']);
    world.restless = 0;
    await withHostile({ tasks: world.handler }, async (service) => {
      const dataSource = dataSourceFor(service.url);
      const frame = frameOf(await ask(plugin, dataSource, query));
      assert.deepEqual(valuesOf(frame, 'id'), world.rows);
      assert.deepEqual(noticesWithSeverity(frame), []);
      await ask(plugin, dataSource, query);
      const pages = service.of('tasks').map(({ page }) => page);
      assert.equal(pages.length, Math.ceil(world.rows.length / size));
      assert.equal(new Set(pages).size, pages.length);
    });
  });
});
