import { frameJson } from '../backend/frames';
import type { Backend } from '../backend/host';
import type { DataSource } from '../backend/wire';

/** What one query for all tasks of the last 30 days cost. */
export interface Reading {
  rows: number;
  pages: number;
  /** Bytes of JSON that the backend read from the service. */
  bytes: number;
  /** Wall time of the whole query, in milliseconds. */
  ms: number;
}

/** Asks the backend for all tasks as a table; throws an error when it does not answer. */
export async function readTasks(backend: Backend, dataSource: DataSource): Promise<Reading> {
  const to = Date.now();
  const query = {
    refId: 'A',
    json: { queryType: 'tasks', days: 30 },
    from: to - 30 * 86_400_000,
    to,
    intervalMs: 60_000,
    maxDataPoints: 1_000,
  };
  const started = performance.now();
  const { A: answer } = await backend.queryData(dataSource, [query]);
  const ms = performance.now() - started;
  if (answer.error) {
    throw new Error(answer.error);
  }
  const { schema } = frameJson(answer.frames[0]);
  const stats = (schema.meta?.stats ?? []) as Array<{ displayName: string; value: number }>;
  const stat = (name: string) => stats.find(({ displayName }) => displayName === name)?.value ?? NaN;
  return { rows: stat('Rows read'), pages: stat('Pages read'), bytes: stat('Bytes received'), ms };
}
