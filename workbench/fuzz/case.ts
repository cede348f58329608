import { dataSets } from '../../datasets/datasets';
import type { DataSource } from '../backend/wire';
import { Dice } from './dice';
import { envelopeNames, envelopes } from './envelopes';
import { spoiled } from './mutate';
import { makeQueries, type CaseQuery } from './queries';
import { makeSecrets, written, type Secrets } from './secrets';
import { makeWorld, type World } from './world';

/** A service with its data, its behavior, and the queries to send, all determined by the seed. */
export interface Case {
  seed: number;
  secrets: Secrets;
  world: World;
  /** How the pages of each data set are wrapped; "bare" has no pages. */
  envelope: Record<string, string>;
  pageSize: number;
  /** Whether the service honors the page size, up to `pageSize`. */
  obeysSize: boolean;
  /** Share of spoiled pages, 0 to 1. */
  spoils: number;
  /** Share of requests that get something other than a page, 0 to 1. */
  faults: number;
  /** The same for logins. */
  loginFaults: number;
  settings: Record<string, unknown>;
  queries: CaseQuery[];
}

/** Generates the case of a seed. */
export function makeCase(seed: number): Case {
  const dice = new Dice(seed, 'case');
  const secrets = makeSecrets(dice);
  const envelope = (name: string) => (name === 'runners' || dice.chance(0.1) ? 'bare' : dice.pick(envelopeNames));
  return {
    seed,
    secrets,
    world: makeWorld(new Dice(seed, 'world')),
    envelope: Object.fromEntries(dataSets.map(({ name }) => [name, envelope(name)])),
    pageSize: dice.pick([1, 5, 20]),
    obeysSize: dice.chance(0.3),
    spoils: dice.weighted([
      [3, 0],
      [2, 0.2],
      [2, 1],
    ]),
    faults: dice.weighted([
      [4, 0],
      [3, 0.1],
      [1, 0.6],
    ]),
    loginFaults: dice.weighted([
      [6, 0],
      [1, 0.5],
    ]),
    settings: {
      ...{ login: 'fuzz', timeout: 1, cacheTTL: 0, maxConcurrentRequests: 32 },
      maxRows: dice.pick([100_000, 100_000, 5]),
    },
    queries: makeQueries(new Dice(seed, 'queries')),
  };
}

/** The data source of a case, whose service has its own address. */
export function dataSourceOf({ seed, secrets, settings }: Case, uid: string, url: string): DataSource {
  const secureJsonData = { key: secrets.key };
  return { uid, name: uid, url: `${url}/${seed}`, jsonData: settings, secureJsonData, updated: Date.now() };
}

/** The page that the service of a case returns, always the same; and whether it is correct. */
export function pageOf(of: Case, set: string, number: number, asked: number): { body: Buffer; isTrue: boolean } {
  const rows = of.world[set];
  const size = of.obeysSize && asked > 0 ? Math.min(asked, of.pageSize) : of.pageSize;
  const wrap = envelopes[of.envelope[set]];
  const page = { rows: rows.slice(number * size, (number + 1) * size), number, size, total: rows.length };
  const json = wrap ? wrap(page) : JSON.stringify(rows);
  const dice = new Dice(of.seed, 'page', set, number);
  if (!dice.chance(of.spoils)) {
    return { body: Buffer.from(json), isTrue: true };
  }
  return { body: spoiled(json, dice, written(of.secrets.token, dice)), isTrue: false };
}
