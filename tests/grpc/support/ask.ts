import { resultsJson, type FrameJson, type ResultJson } from '../../../workbench/backend/frames';
import type { DataSource } from '../../../workbench/backend/wire';
import type { Plugin } from './plugin';

const dayMs = 86_400_000;

/** Options of a query. */
export interface Asking {
  /** Ends the call; the backend sees its context end. */
  signal?: AbortSignal;
  from?: number;
  to?: number;
  intervalMs?: number;
}

/** Sends one query in its own request. An aborted signal is an error. */
export async function ask(
  plugin: Plugin,
  dataSource: DataSource,
  json: Record<string, unknown>,
  { signal, from = Date.now() - 7 * dayMs, to = Date.now(), intervalMs = 3_600_000 }: Asking = {}
): Promise<ResultJson> {
  const query = { refId: 'A', json, from, to, intervalMs, maxDataPoints: 1_000 };
  return resultsJson(await plugin.backend.queryData(dataSource, [query], signal)).A;
}

/** The response, or an error if none arrived in time. */
export function askWithin(plugin: Plugin, dataSource: DataSource, json: Record<string, unknown>, ms: number) {
  return ask(plugin, dataSource, json, { signal: AbortSignal.timeout(ms) });
}

/** Values of a field by name; undefined if the frame has no such field. */
export function valuesOf({ schema, data }: FrameJson, name: string): unknown[] | undefined {
  return data.values[schema.fields.findIndex((field) => field.name === name)];
}
