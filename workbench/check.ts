import { dataSets } from '../schema/datasets';
import type { Finding, Severity } from '../schema/findings';
import { frameJson } from './backend/frames';
import type { Backend } from './backend/host';
import type { DataSource } from './backend/wire';

const dayMs = 86_400_000;

interface Line {
  ok: boolean;
  what: string;
  result: string;
  /** Further findings, a line each. */
  more?: string[];
}

async function checkHealth(backend: Backend, dataSource: DataSource): Promise<Line> {
  const { status, message, details } = await backend.checkHealth(dataSource);
  return { ok: status === 'OK', what: 'health', result: message, more: reportOf(details) };
}

const marks: Record<Severity, string> = { ok: '', info: '', warning: 'WARNING: ', error: 'ERROR: ' };

/** The report of the check, with suggested settings by their names in provisioning files. */
function reportOf(details: unknown): string[] {
  const { report = [] } = (details ?? {}) as { report?: Finding[] };
  return report.map(({ severity, text, setting, value }) => {
    const offer = value === undefined ? '' : ` → ${setting}: ${value}`;
    return `${marks[severity]}${text}${offer}`;
  });
}

async function checkDataSet(backend: Backend, dataSource: DataSource, queryType: string): Promise<Line> {
  const started = performance.now();
  const to = Date.now();
  const query = { refId: 'A', json: { queryType }, from: to - 7 * dayMs, to, intervalMs: 60_000, maxDataPoints: 1_000 };
  const { A: answer } = await backend.queryData(dataSource, [query]);
  const ms = Math.round(performance.now() - started);
  if (answer.error || answer.frames.length === 0) {
    return { ok: false, what: queryType, result: answer.error || 'no frame returned' };
  }
  const frame = frameJson(answer.frames[0]);
  const rows = frame.data.values[0]?.length ?? 0;
  const pages = frame.schema.meta?.stats?.find(({ displayName }) => /^pages/i.test(displayName))?.value ?? '?';
  return { ok: true, what: queryType, result: `${rows} rows, ${pages} pages, ${ms} ms` };
}

/**
 * Runs the health check and one query per data set, prints each result and the findings of the health check, and
 * returns whether everything succeeded.
 */
export async function check(backend: Backend, dataSource: DataSource): Promise<boolean> {
  const lines = [await checkHealth(backend, dataSource)];
  for (const { name } of dataSets) {
    lines.push(await checkDataSet(backend, dataSource, name));
  }
  for (const { ok, what, result, more = [] } of lines) {
    console.log(`${ok ? 'ok    ' : 'FAILED'}  ${what.padEnd(12)} ${result}`);
    more.forEach((line) => console.log(`        ${line}`));
  }
  return lines.every(({ ok }) => ok);
}
