import { setTimeout as sleep } from 'node:timers/promises';

import { Backend } from '../backend/host';
import type { DataSource } from '../backend/wire';
import { Asker, CACHE_TTL } from './asker';
import { passDay, rotationName, ROTATIONS } from './day';
import { Load } from './load';
import type { SoakOptions } from './options';
import { dashboards, rules } from './plan';
import { Reference } from './reference';
import { grown, hasProc, type Resources, resourcesLine, resourcesOf } from './resources';
import { SoakService, soakWorld } from './service';
import { Tally } from './tally';

const DASHBOARDS = 20;
const RULES = 10;
/** Seconds for a request: no load of the machine causes such a delay. */
const TIMEOUT = 60;
/** Share of the time before and after the day in which the world does not change and the service has no faults. */
const STILL = 0.15;
/** The SDK disposes of a replaced instance after 5 s; connections and memory follow. */
const SETTLE = 30_000;

/** The findings of a soak test: none if everything is correct. */
export interface Verdict {
  faults: string[];
  tally: Tally;
}

function dataSourceFor(url: string): DataSource {
  const jsonData = { login: 'demo', cacheTTL: CACHE_TTL, timeout: TIMEOUT };
  return { uid: 'soak', name: 'Soak', url, jsonData, secureJsonData: { key: 'demo-key' }, updated: Date.now() };
}

/** Starts the service and the backend, runs the soak test, and stops them. Prints progress lines as they occur. */
export async function soak(options: SoakOptions, print: (line: string) => void): Promise<Verdict> {
  const { minutes, seed } = options;
  const world = soakWorld(options);
  const tally = new Tally();
  const service = await SoakService.start(world);
  let asker: Asker | undefined;
  const backend = await Backend.start((line) => {
    asker?.checkSecrets('a line of the log', line);
    if (/\bpanic\b/i.test(line)) {
      tally.complain(line);
    }
  });
  try {
    const reference = new Reference(world);
    asker = new Asker(backend, service, reference, tally, dataSourceFor(service.url));
    return await new Run(backend, service, reference, asker, tally, print).all(minutes * 60_000, seed);
  } finally {
    await backend.stop();
    await service.close();
  }
}

class Run {
  private readonly begun = performance.now();

  constructor(
    private readonly backend: Backend,
    private readonly service: SoakService,
    private readonly reference: Reference,
    private readonly asker: Asker,
    private readonly tally: Tally,
    private readonly print: (line: string) => void
  ) {}

  async all(milliseconds: number, seed: number): Promise<Verdict> {
    const still = milliseconds * STILL;
    const lines = setInterval(() => void this.report(), Math.min(60_000, milliseconds / 5));
    try {
      await this.underLoad(seed, () => sleep(still));
      const before = await this.resources();
      this.print(
        `before, idle: ${resourcesLine(before)}${hasProc ? '' : ' (no /proc here: the others are not measured)'}`
      );
      await this.underLoad(seed, async () => {
        await passDay(this.service, this.reference, this.asker, milliseconds - 2 * still, seed);
        await sleep(still);
      });
      clearInterval(lines);
      const leaks = await this.leaks(before);
      return {
        faults: [...this.tally.faults(), ...this.unseen(), ...leaks, ...this.tally.complaints],
        tally: this.tally,
      };
    } finally {
      clearInterval(lines);
    }
  }

  private async underLoad(seed: number, work: () => Promise<void>): Promise<void> {
    const load = new Load(this.asker, dashboards(seed, DASHBOARDS), rules(seed, RULES), seed);
    try {
      await work();
    } finally {
      await load.stop();
    }
  }

  private async resources(): Promise<Resources> {
    return resourcesOf(this.backend.pid, await this.backend.collectMetrics(this.asker.settings));
  }

  /** The resources still held after a grace period for those that come and go. */
  private async leaks(before: Resources): Promise<string[]> {
    const until = performance.now() + SETTLE;
    for (;;) {
      const after = await this.resources();
      const leaks = grown(before, after);
      if (leaks.length === 0 || performance.now() >= until) {
        this.print(`after, idle: ${resourcesLine(after)}`);
        return leaks;
      }
      await sleep(1_000);
    }
  }

  /** A soak test without faults at the service proves nothing. */
  private unseen(): string[] {
    const names = Array.from({ length: ROTATIONS }, (_, index) => rotationName(index + 1));
    return names.filter((name) => this.tally.excusedBy(name) === 0).map((name) => `no response reported ${name}`);
  }

  private async report(): Promise<void> {
    const minute = ((performance.now() - this.begun) / 60_000).toFixed(1);
    const world = new Date(this.service.now).toISOString().slice(0, 16);
    const { requests, failedLogins } = await this.service.counts();
    const served = `requests ${requests}, failed logins ${failedLogins}`;
    this.print(
      `${minute} min, world ${world}: ${this.tally.line()}; ${served}; ${resourcesLine(await this.resources())}`
    );
  }
}
