import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { Random } from '../../simulator/random';
import { tokens } from '../../simulator/session';
import { type ResultJson, resultsJson } from '../backend/frames';
import { Backend } from '../backend/host';
import { metric } from '../backend/metrics';
import { connections, residentMemory } from '../backend/resources';
import type { DataSource, Query } from '../backend/wire';
import { type Cause, causeOf, faults, judge, type Outcome, outcomes } from './judge';
import { type Dashboard, dashboards } from './panels';
import { Service } from './service';

const HOUR = 3_600_000;
/** How fast the world moves: a day in ten minutes. */
const SPEED = 144;
/** Seconds; short, because an answer may be this old. */
const CACHE_TTL = 1;
const HUNG = 120_000;
/** Share of the time before and after the day in which the world stands still. */
const STILL = 0.15;
/** Wrong answers to describe. */
const DESCRIBED = 10;
/** The share of answers that may lack rows. */
const FEW = 0.1;

/**
 * What may grow without a leak: idle connections come and go, those of the data source before its key changed time out
 * after 90 seconds, and Go's runtime keeps memory for a while.
 */
const slack = { goroutines: 26, connections: 12, MiB: 48 };
type Resources = typeof slack;

/** What a run found: nothing if everything is right. */
export interface Verdict {
  faults: string[];
  answers: Record<Outcome | 'left', number>;
}

/** Dashboards and rules that query the backend while a part of a day passes at the service. */
export class Run {
  readonly answers = Object.fromEntries([...outcomes, 'left'].map((name) => [name, 0])) as Verdict['answers'];
  readonly faults: string[] = [];
  private causes: Cause[] = [];
  private readonly keys = ['demo-key'];
  private excusedByKey = 0;
  /** Milliseconds that the slowest answer took: so long before a query, something may have happened that its answer is about. */
  private slowest = 5_000;
  /** The comparison that is being made, for which the world waits. */
  private comparison?: Promise<void>;

  private constructor(
    readonly backend: Backend,
    /** Another process, which knows nothing that the first one has read. */
    readonly fresh: Backend,
    readonly service: Service,
    private dataSource: DataSource,
    private readonly seed: number,
    private readonly print: (line: string) => void
  ) {}

  private get dashboards(): Dashboard[] {
    return dashboards(this.seed, 10, 8);
  }

  /** Runs for some minutes. */
  static async start(minutes: number, seed: number, print: (line: string) => void): Promise<Verdict> {
    const service = await Service.start(seed);
    let run: Run | undefined;
    const backend = await Backend.start((line) => run?.checkText(line));
    const fresh = await Backend.start();
    try {
      const jsonData = { login: 'demo', cacheTTL: CACHE_TTL, fullReadInterval: 10, timeout: 60 };
      const saved = { secureJsonData: { key: 'demo-key' }, updated: Date.now() };
      const dataSource = { uid: 'load', name: 'Load', url: service.url, jsonData, ...saved };
      run = new Run(backend, fresh, service, dataSource, seed, print);
      return await run.all(minutes * 60_000);
    } finally {
      await Promise.all([backend.stop(), fresh.stop()]);
      await service.close();
    }
  }

  private async all(milliseconds: number): Promise<Verdict> {
    const report = setInterval(() => void this.report(), Math.min(60_000, milliseconds / 3));
    const still = milliseconds * STILL;
    try {
      await this.underLoad(() => sleep(still));
      // All connections have been used by now.
      const before = await this.report('before the day, idle');
      await this.underLoad(async () => {
        await this.passTime(milliseconds - 2 * still);
        await sleep(still);
      });
      for (const dashboard of this.dashboards) {
        await this.ask(dashboard); // Whatever has happened, all of them are right in the end.
      }
      clearInterval(report);
      this.faults.push(...(await this.leaks(before)), ...this.shares());
      return { faults: this.faults, answers: this.answers };
    } finally {
      clearInterval(report);
    }
  }

  /** Dashboards refresh and rules are evaluated as long as the work takes. */
  private async underLoad(work: () => Promise<void>): Promise<void> {
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const pause = (ms: number) => sleep(ms, undefined, { signal: stop.signal }).catch(() => undefined);
    const loops = this.dashboards.map(async (dashboard, index) => {
      const random = new Random(this.seed, 'load', index);
      await pause(random.between(0, dashboard.everyMs)); // not all at the same moment
      while (!stop.signal.aborted) {
        const left = random.chance(1 / 12) ? AbortSignal.timeout(Math.ceil(random.between(1, 200))) : undefined;
        await Promise.all([this.ask(dashboard, left), pause(dashboard.everyMs)]);
      }
    });
    try {
      await work();
    } finally {
      stop.abort();
      await Promise.all(loops);
    }
  }

  /** Sends the queries of a dashboard in one request. An aborted signal is a user who left before the answer. */
  private async ask({ panels, isRule }: Dashboard, left?: AbortSignal): Promise<void> {
    const { dataSource, service } = this;
    const to = service.now;
    const asked = panels.map(({ query, hours, intervalMs }) => ({ query, intervalMs, from: to - hours * HOUR, to }));
    const queries = asked.map(({ query, ...rest }, index) => ({
      ...{ ...rest, refId: `${index}`, json: { ...query }, maxDataPoints: 1_000 },
    }));
    const sent = performance.now();
    const hung = AbortSignal.timeout(HUNG);
    const signal = left ? AbortSignal.any([left, hung]) : hung;
    try {
      const headers: Record<string, string> = isRule ? { FromAlert: 'true' } : {};
      const results = resultsJson(await this.backend.queryData(dataSource, queries, signal, headers));
      this.slowest = Math.max(this.slowest, performance.now() - sent);
      const isMoving = service.movedAt > sent - CACHE_TTL * 1000;
      const causes = this.causes.filter(
        ({ from, until, updated = dataSource.updated }) =>
          from <= performance.now() && until >= sent - this.slowest && updated === dataSource.updated
      );
      const fresh = isMoving || this.comparison ? {} : await this.freshAnswers(queries, headers);
      for (const [index, one] of asked.entries()) {
        const { outcome, complaint } = judge(results[index], causes, isMoving, fresh[index]);
        this.answers[outcome]++;
        this.excusedByKey += Number(outcome === 'excused' && causes.some(({ updated }) => updated !== undefined));
        this.checkText(JSON.stringify([results[index].error, results[index].frames.map((f) => f.schema)]));
        if (outcome === 'wrong') {
          const during = [isMoving ? 'moving' : 'still', ...causes.map(({ name }) => name)].join(', ');
          this.complain(`${isRule ? 'rule ' : ''}${JSON.stringify(one)}: ${complaint} [${during}]`);
        }
      }
    } catch (error) {
      this.answers[left?.aborted ? 'left' : 'wrong'] += asked.length;
      if (!left?.aborted) {
        this.complain(hung.aborted ? `no answer within ${HUNG / 1000} s` : String(error));
      }
    }
  }

  /** What a data source answers that has read nothing before this moment, for which the world waits. */
  private async freshAnswers(queries: Query[], headers: Record<string, string>): Promise<Record<string, ResultJson>> {
    const { flawless, movedAt } = this.service;
    // Within a moment nothing changes, so its lists are read once. Saved settings begin anew.
    const jsonData = { login: 'demo', cacheTTL: 3_600, incrementalQuerying: false, pageSize: 2_000 };
    const saved = { jsonData, secureJsonData: { key: 'demo-key' }, updated: Math.round(movedAt) };
    const answers = this.fresh.queryData(
      { uid: 'fresh', name: 'Load', url: flawless.url, ...saved },
      queries,
      undefined,
      headers
    );
    this.comparison = answers.then(
      () => (this.comparison = undefined),
      () => (this.comparison = undefined)
    );
    return resultsJson(await answers);
  }

  private complain(text: string) {
    if (this.faults.length < DESCRIBED) {
      this.faults.push(`${new Date(this.service.now).toISOString()} ${text}`);
    }
  }

  private checkText(text: string) {
    if (tokens.test(text) || this.keys.some((key) => text.includes(key))) {
      this.complain('an answer or a line of the log contains the key or a token');
    }
    if (/\bpanic\b/i.test(text)) {
      this.complain(text);
    }
  }

  /** Time passes, tasks are removed, and faults come and go; in the middle, the key changes. */
  private async passTime(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    const random = new Random(this.seed, 'removals');
    const moves = (async () => {
      for (let step = 1, last = performance.now(); last < end; step++) {
        // Some steps are shorter than a read, others longer than the answer to it is kept.
        await sleep(random.between(100, 4_000));
        await this.comparison;
        const passed = performance.now() - last;
        last += passed;
        // Not of the first page: a removal in the middle is the one that is hard to see.
        const removed = step % 3 === 0 ? random.between(0.02, 0.98) : undefined;
        this.service.moveTo(this.service.now + Math.round(passed) * SPEED, removed);
      }
    })();
    for (let index = 0, isRotated = false; performance.now() < end; index++) {
      if (!isRotated && performance.now() > end - milliseconds / 2) {
        isRotated = true;
        await this.rotateKey();
      }
      await this.disturb(index);
    }
    await moves;
    if (this.excusedByKey === 0) {
      this.faults.push('no answer said that the key is wrong after it had changed');
    }
  }

  private async disturb(index: number): Promise<void> {
    const fault = faults[index % faults.length];
    const cause = causeOf(fault);
    this.causes = [...this.causes.filter(({ until }) => until > cause.from - HUNG), cause];
    await this.service.client.control('POST', 'faults', fault);
    if (fault.route === 'login') {
      await this.service.client.control('POST', 'expire-tokens'); // Logins happen only for a reason.
    }
    await sleep(1_500);
    await this.service.client.control('DELETE', 'faults');
    cause.until = performance.now();
    await sleep(1_000);
  }

  /** The service's key changes, and the settings a while later: queries in between fail, or are answered from the cache. */
  private async rotateKey(): Promise<void> {
    const { updated } = this.dataSource;
    const says = /check the login and key/;
    this.causes.push({ name: 'a new key', says, updated, from: performance.now(), until: Infinity });
    const key = `new-key-${this.seed}`;
    this.keys.push(key);
    await this.service.client.control('POST', 'key', { key });
    // On a busy machine, a query may take longer than that to be asked and answered.
    const end = performance.now() + HUNG;
    for (await sleep(3_000); this.excusedByKey === 0 && performance.now() < end; await sleep(100)) {
      continue;
    }
    this.dataSource = { ...this.dataSource, secureJsonData: { key }, updated: updated + 1000 };
  }

  private async report(title = `the world at ${new Date(this.service.now).toISOString()}`): Promise<Resources> {
    const { pid } = this.backend;
    const goroutines = metric(await this.backend.collectMetrics(this.dataSource), 'go_goroutines');
    const MiB = Math.round(residentMemory(pid) / 2 ** 20);
    const resources = { goroutines, connections: connections(pid), MiB };
    const counts = Object.entries({ ...this.answers, ...resources }).map(([name, count]) => `${name} ${count}`);
    this.print(`${title}: ${counts.join(', ')}`);
    return resources;
  }

  /** What is still held long after the last query: replaced instances end after 5 seconds. */
  private async leaks(before: Resources): Promise<string[]> {
    for (const until = performance.now() + HUNG; ; await sleep(2_000)) {
      const after = await this.report('after the day, idle');
      const names = Object.keys(slack) as Array<keyof Resources>;
      const grown = names.filter((name) => after[name] > before[name] + slack[name]);
      if (grown.length === 0 || performance.now() > until) {
        return grown.map((name) => `${name} grew from ${before[name]} to ${after[name]}`);
      }
    }
  }

  private shares(): string[] {
    const { exact, moving, lacking, wrong } = this.answers;
    const judged = exact + moving + lacking + wrong;
    return [
      ...(wrong > 0 ? [`${wrong} of ${judged} answers are wrong`] : []),
      ...(lacking > judged * FEW ? [`${lacking} of ${judged} answers lack rows`] : []),
    ];
  }
}
