import { after, before } from 'node:test';
import { resultsJson, type FrameJson, type ResultJson } from '../../../workbench/backend/frames';
import { Backend } from '../../../workbench/backend/host';
import type { DataSource } from '../../../workbench/backend/wire';

const dayMs = 86_400_000;
let uids = 0;

/** A data source for a service. Each has its own uid, so that none sees another's session or cache. */
export function dataSourceFor(url: string, jsonData: Record<string, unknown> = {}, key = 'demo-key'): DataSource {
  const uid = `test-${(uids += 1)}`;
  const settings = { login: 'demo', ...jsonData };
  return { uid, name: uid, url, jsonData: settings, secureJsonData: { key }, updated: Date.now() };
}

/** The built backend, and all of its output. */
export class Plugin {
  /** Every line of its log. */
  readonly lines: string[] = [];
  backend!: Backend;

  async start(): Promise<void> {
    this.backend = await Backend.start((line) => this.lines.push(line));
  }

  /** Sends several queries in one request, over the last week; refIds are A, B, C, … */
  async askAll(
    dataSource: DataSource,
    queries: Array<Record<string, unknown>>,
    range = { from: Date.now() - 7 * dayMs, to: Date.now() },
    headers: Record<string, string> = {}
  ): Promise<ResultJson[]> {
    const refIds = queries.map((_, index) => String.fromCharCode(65 + index));
    const asked = queries.map((json, index) => ({
      ...range,
      refId: refIds[index],
      json,
      intervalMs: 3_600_000,
      maxDataPoints: 1_000,
    }));
    const results = resultsJson(await this.backend.queryData(dataSource, asked, undefined, headers));
    return refIds.map((refId) => results[refId]);
  }

  /** Sends one query. */
  async ask(dataSource: DataSource, query: Record<string, unknown>, range?: { from: number; to: number }) {
    const [result] = await this.askAll(dataSource, [query], range);
    return result;
  }
}

/** Starts the backend before the tests of a file and stops it after them. */
export function startPlugin(): Plugin {
  const plugin = new Plugin();
  before(() => plugin.start());
  after(() => plugin.backend.stop());
  return plugin;
}

/** The only frame of a response, or an error that describes the response. */
export function frameOf({ frames, error }: ResultJson): FrameJson {
  if (error !== undefined || frames.length !== 1) {
    throw new Error(error ?? `expected one frame, got ${frames.length}`);
  }
  return frames[0];
}

/** Texts of a frame's notices. */
export function noticesOf(frame: FrameJson): string[] {
  return (frame.schema.meta?.notices ?? []).map(({ text }) => text);
}
