import assert from 'node:assert/strict';
import type { ResultJson } from '../../../workbench/backend/frames';
import type { DataSource } from '../../../workbench/backend/wire';
import { leaks } from './leaks';
import type { Plugin } from './plugin';

/** A key and a token with all characters that services escape. */
export const key = 'Kq7/Zt=9"Wp+3\\Xv<5é8mR2/bN=4yH';
export const token = 'tJ4=hD/8s"Lc+6\\Fw<2ñ9gB5=xT/7kM';
// Characters that are valid in a host name and in a line of HTTP.
export const plainKey = 'q7w2k9x4m1z8v3b6n5p0';
export const plainToken = 't3h8d1f6j9r4c7l2s5g0';
/** Everything that must not appear in a message. */
export const secrets = [key, token, plainKey, plainToken];

const proxied = 'api/v1/insights/tasks';
const queries = ['tasks', 'automations', 'runners'].map((queryType) => ({ queryType }));

/** A message of the plugin, and its source. */
export interface Said {
  where: string;
  text: string;
}

/** The plugin's messages in the response to a query. */
export const saidBy = ({ error = '', frames }: ResultJson, where: string): Said[] => [
  { where: `error of ${where}`, text: error },
  ...frames.map(({ schema }) => ({
    where: `notices and requests of ${where}`,
    text: JSON.stringify(schema.meta ?? {}),
  })),
];

/** Sends requests of every kind, and collects all of the plugin's own messages. */
export async function everything(plugin: Plugin, dataSource: DataSource): Promise<Said[]> {
  const get = (path: string) => plugin.backend.callResource(dataSource, { method: 'GET', path, url: path });
  const [health, results, ...resources] = await Promise.all([
    plugin.backend.checkHealth(dataSource),
    plugin.askAll(dataSource, queries),
    ...['automations', 'values?queryType=tasks&field=state', proxied].map(get),
  ]);
  const [automations, values, passed] = resources;
  return [
    { where: 'health message', text: health.message },
    { where: 'health details', text: JSON.stringify(health.details) },
    ...results.flatMap((result, index) => saidBy(result, queries[index].queryType)),
    ...[automations, values].map(({ body }) => ({ where: 'resource', text: body.toString() })),
    // The proxy route returns a good response as the service sends it; an error is masked by the plugin.
    ...(passed.status >= 300
      ? [{ where: 'proxy route', text: `${JSON.stringify(passed.headers)} ${passed.body.toString()}` }]
      : []),
  ];
}

/** Fails with the places of the leaks. The leaked text is not shown: that would be another leak. */
export function assertNone(said: Said[]): void {
  // The same sentence appears in many places, and undoing every escape takes time.
  const leaking = new Set([...new Set(said.map(({ text }) => text))].filter((text) => leaks(text, secrets)));
  const places = said.filter(({ text }) => leaking.has(text)).map(({ where }) => where);
  assert.deepEqual([...new Set(places)], [], 'places that contain a secret');
}

/** Fails if the log contains a secret. */
export function assertLogHasNone({ lines }: Plugin): void {
  const leaking = lines.filter((line) => leaks(line, secrets)).length;
  assert.equal(leaking, 0, `${leaking} of ${lines.length} log lines contain a secret`);
}
