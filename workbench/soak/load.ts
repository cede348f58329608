import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../simulator/random';
import type { Panel } from './asked';
import type { Asker } from './asker';
import type { Dashboard } from './plan';

/** The interval at which a rule is evaluated. */
const RULE_EVERY = 3_000;
/** One in this many refreshes is abandoned by a user who leaves before the panels have loaded. */
const LEAVES = 12;

/** Dashboards that refresh and rules that are evaluated, until they are stopped. */
export class Load {
  private readonly stopped = new AbortController();
  private readonly loops: Array<Promise<void>>;

  constructor(
    private readonly asker: Asker,
    dashboards: Dashboard[],
    rules: Panel[],
    seed: number
  ) {
    // Every loop listens to the signal.
    setMaxListeners(0, this.stopped.signal);
    this.loops = [
      ...dashboards.map(({ panels, everyMs }, index) =>
        this.repeat(everyMs, seed, index, (left) => this.refresh(panels, left))
      ),
      ...rules.map((rule, index) => this.repeat(RULE_EVERY, seed, -1 - index, () => this.asker.ask([rule]))),
    ];
  }

  /** Sends no more queries; resolves when all responses have arrived. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await Promise.all(this.loops);
  }

  private async refresh(panels: Panel[][], left: AbortSignal | undefined): Promise<void> {
    await Promise.all(panels.map((panel) => this.asker.ask(panel, left)));
  }

  private async repeat(everyMs: number, seed: number, index: number, once: (left?: AbortSignal) => Promise<void>) {
    const random = new Random(seed, 'load', index);
    // Not all at the same moment.
    await this.pause(random.between(0, everyMs));
    while (!this.stopped.signal.aborted) {
      const begun = performance.now();
      await once(random.chance(1 / LEAVES) ? AbortSignal.timeout(Math.ceil(random.between(1, 200))) : undefined);
      await this.pause(Math.max(0, begun + everyMs - performance.now()));
    }
  }

  private async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.stopped.signal }).catch(() => undefined);
  }
}
