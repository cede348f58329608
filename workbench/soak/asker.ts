import { type ResultJson, resultsJson } from '../backend/frames';
import type { Backend } from '../backend/host';
import type { DataSource } from '../backend/wire';
import { type Asked, keyOf, type Panel } from './asked';
import { judge } from './judge';
import type { Reference } from './reference';
import { secretIn } from './secrets';
import type { SoakService } from './service';
import { Sharing } from './sharing';
import type { Tally } from './tally';
import { Timeline } from './timeline';
import { type Cause, excusesOf } from './trouble';

const HOUR = 3_600_000;
const HUNG = 120_000;
/** How far a wrong response is traced back, in milliseconds. */
const TRACED = 20_000;

/** Seconds; short, because a response can be this old. */
export const CACHE_TTL = 1;

/** Queries the backend as Grafana does, and has every response judged. */
export class Asker {
  /** What is happening at the service. */
  readonly causes = new Timeline<Cause>(2 * HUNG);
  private readonly sharing = new Sharing(CACHE_TTL * 1000);
  private readonly keys: string[];

  constructor(
    private readonly backend: Backend,
    private readonly service: SoakService,
    private readonly reference: Reference,
    private readonly tally: Tally,
    private dataSource: DataSource
  ) {
    this.keys = [dataSource.secureJsonData.key];
  }

  /** The current saved settings. */
  get settings(): DataSource {
    return this.dataSource;
  }

  /**
   * Saves another key as Grafana does: the same data source, changed later. The backend creates a new instance of it.
   */
  saveKey(key: string) {
    const { updated } = this.dataSource;
    this.dataSource = { ...this.dataSource, secureJsonData: { key }, updated: updated + 1000 };
    this.keys.push(key);
  }

  /** Sends all queries of a panel in one request. An aborted signal is a user who left before the response. */
  async ask(panels: Panel[], left?: AbortSignal): Promise<void> {
    const { dataSource } = this;
    const asked = panels.map((panel) => this.at(this.service.now, panel));
    const shares = asked.map(({ query }) => this.sharing.begin(readKey(query, dataSource.updated)));
    const names = asked
      .filter(({ query }) => showsNames(query))
      .map(() => this.sharing.begin(readKey(NAMES, dataSource.updated)));
    const hung = AbortSignal.timeout(HUNG);
    try {
      const queries = asked.map(({ query, ...rest }, index) => ({
        ...{ ...rest, refId: refId(index), json: { ...query } },
        maxDataPoints: 1_000,
      }));
      const answers = await this.backend.queryData(dataSource, queries, left ? AbortSignal.any([left, hung]) : hung);
      const results = resultsJson(answers);
      asked.forEach((one, index) => this.judge(one, results[refId(index)], shares[index].oldest, dataSource.updated));
    } catch (error) {
      this.unanswered(
        asked,
        hung.aborted ? `no answer within ${HUNG / 1000} s` : String(error),
        left?.aborted === true
      );
    } finally {
      shares.forEach(({ end }) => end(left?.aborted === true));
      // A response doesn't wait long for names, and the read of them goes on.
      names.forEach(({ end }) => end(true));
    }
  }

  private at(now: number, { query, hours, intervalMs }: Panel): Asked {
    return { query, from: now - hours * HOUR, to: now, intervalMs };
  }

  private judge(asked: Asked, answer: ResultJson, oldest: number, updated: number) {
    const until = performance.now();
    const moments = this.service.momentsBetween(oldest, until);
    const causes = this.causes
      .during({ from: oldest, until })
      .filter((cause) => (cause.updated ?? updated) === updated);
    const rows = moments.map((moment) => () => this.reference.rows(asked.query, moment));
    const judgement = judge(asked, answer, rows, {
      errors: excusesOf(causes),
      areRowsSpoiled: causes.some(({ isSpoiling }) => isSpoiling),
    });
    const known = moments.length > 1 ? [`${moments.length} moments`] : [];
    const age = judgement.outcome === 'wrong' ? this.ageOf(asked, answer, oldest) : [];
    this.tally.add(asked, judgement, [...known, ...age, ...causes.map(({ name }) => name)]);
    const said = JSON.stringify([answer.error, answer.frames.map(({ schema }) => schema.meta)]);
    this.checkSecrets('an answer', said);
  }

  /** Says of a wrong response whether it is merely older than possible. */
  private ageOf(asked: Asked, answer: ResultJson, oldest: number): string[] {
    const isExact = (moment: number) => {
      const rows = () => this.reference.rows(asked.query, moment);
      return judge(asked, answer, [rows], { errors: [], areRowsSpoiled: false }).outcome === 'exact';
    };
    const earlier = this.service
      .momentsBetween(oldest - TRACED, oldest)
      .reverse()
      .find(isExact);
    return earlier === undefined ? [] : [`exact for ${new Date(earlier).toISOString()}`];
  }

  private unanswered(asked: Asked[], reason: string, isLeft: boolean) {
    if (isLeft) {
      this.tally.left += asked.length;
      return;
    }
    asked.forEach((one) => this.tally.add(one, { outcome: 'wrong', complaint: reason }, []));
  }

  /** Looks for keys and tokens in the output of the backend. */
  checkSecrets(where: string, text: string) {
    const secret = secretIn(text, this.keys);
    if (secret) {
      this.tally.complain(`${where} contains ${secret}`);
    }
  }
}

const refId = (index: number) => String.fromCharCode(65 + index);

/** Which automations give the series of tasks their names. They are read rarely, and like those of any other query. */
const NAMES: Asked['query'] = { queryType: 'automations', days: 30 };

function showsNames({ format, groupBy = [] }: Asked['query']): boolean {
  return format === 'timeseries' && groupBy.includes('activityLabel');
}

/** Equal for queries that can share a read: what happens after reading doesn't matter, and all tasks are one list. */
function readKey(query: Asked['query'], updated: number): string {
  const { queryType, days, search } = query;
  return JSON.stringify(keyOf(query) === 'id' ? [updated, queryType] : [updated, queryType, days, search]);
}
