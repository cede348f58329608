import { resultsJson } from '../backend/frames';
import type { Backend } from '../backend/host';
import type { DataSource } from '../backend/wire';
import { dataSourceOf, makeCase } from './case';
import { checkResult, checkText, type Finding } from './check';
import { Dice } from './dice';
import type { FuzzService, Played } from './service';

const day = 86_400_000;
/** Far more than the attempts, pauses, and timeouts of a case take. */
const deadlineMs = 60_000;

const resources = ['automations', 'runners', 'values?queryType=tasks&field=state', 'api/v1/insights/tasks?page=0'];

async function askQueries(backend: Backend, dataSource: DataSource, played: Played, signal: AbortSignal) {
  const { queries } = played.of;
  const to = Date.UTC(2026, 10, 20);
  const asked = queries.map(({ json }, index) => ({
    ...{ refId: `Q${index}`, json, from: to - 30 * day, to, intervalMs: 3_600_000, maxDataPoints: 500 },
  }));
  const results = resultsJson(await backend.queryData(dataSource, asked, signal));
  return queries.flatMap((query, index) => checkResult(played, query, results[`Q${index}`]));
}

async function askResource(
  backend: Backend,
  dataSource: DataSource,
  dice: Dice,
  signal: AbortSignal
): Promise<Finding[]> {
  const url = dice.pick(resources);
  const [path] = url.split('?');
  const { status, body } = await backend.callResource(dataSource, { method: 'GET', path, url }, signal);
  // The proxied response of a successful request is unchanged; the plugin's own texts and errors contain no secret.
  return status < 400 ? [] : checkText('an error of a resource', body.toString());
}

async function askHealth(backend: Backend, dataSource: DataSource, signal: AbortSignal): Promise<Finding[]> {
  const { message, details } = await backend.checkHealth(dataSource, signal);
  return checkText('the health check', `${message} ${JSON.stringify(details)}`);
}

/** The result of a case. */
export interface PlayedCase {
  executions: number;
  findings: Finding[];
}

/** Plays the case of a seed: its queries and, sometimes, its health check and a resource. */
export async function play(backend: Backend, service: FuzzService, seed: number, uid: string): Promise<PlayedCase> {
  const of = makeCase(seed);
  const played = service.open(of);
  const dataSource = dataSourceOf(of, uid, service.url);
  const dice = new Dice(seed, 'calls');
  const signal = AbortSignal.timeout(deadlineMs);
  const calls = [
    askQueries(backend, dataSource, played, signal),
    ...(dice.chance(0.1) ? [askHealth(backend, dataSource, signal)] : []),
    ...(dice.chance(0.1) ? [askResource(backend, dataSource, dice, signal)] : []),
  ];
  try {
    const answers = await Promise.all(
      calls.map((call) =>
        call.catch((error: Error): Finding[] => [
          {
            kind: signal.aborted ? `no answer within ${deadlineMs / 1000} s` : 'a call that failed',
            detail: error.message,
          },
        ])
      )
    );
    return { executions: of.queries.length + calls.length - 1, findings: answers.flat() };
  } finally {
    service.end(played);
  }
}
