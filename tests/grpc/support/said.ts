import assert from 'node:assert/strict';
import type { ResultJson } from '../../../workbench/backend/frames';
import type { DataSource } from '../../../workbench/backend/wire';
import { leaks } from './leaks';
import type { Plugin } from './plugin';

/** A key and a token with all that services escape. */
export const key = 'Kq7/Zt=9"Wp+3\\Xv<5é8mR2/bN=4yH';
export const token = 'tJ4=hD/8s"Lc+6\\Fw<2ñ9gB5=xT/7kM';
// What may stand in the name of a host and in a line of HTTP.
export const plainKey = 'q7w2k9x4m1z8v3b6n5p0';
export const plainToken = 't3h8d1f6j9r4c7l2s5g0';
/** All that must be in no message. */
export const secrets = [key, token, plainKey, plainToken];

const proxied = 'api/v1/insights/tasks';
const queries = ['tasks', 'automations', 'runners'].map((queryType) => ({ queryType }));

/** A message of the plugin, and where it came from. */
export interface Said {
  where: string;
  text: string;
}

/** What the plugin says with the answer to a query. */
export const saidBy = ({ error = '', frames }: ResultJson, where: string): Said[] => [
  { where: `error of ${where}`, text: error },
  ...frames.map(({ schema }) => ({
    where: `notices and requests of ${where}`,
    text: JSON.stringify(schema.meta ?? {}),
  })),
];

/** Asks in every way there is, and gathers all that the plugin says of its own. */
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
    // A good answer comes back over the proxy route as the service sends it; an error is the plugin's to clear.
    ...(passed.status >= 300
      ? [{ where: 'proxy route', text: `${JSON.stringify(passed.headers)} ${passed.body.toString()}` }]
      : []),
  ];
}

/** Fails with the places of the leaks. What leaked is not shown: it would leak here too. */
export function assertNone(said: Said[]): void {
  // The same sentence comes back in many ways, and undoing every escape takes its time.
  const leaking = new Set([...new Set(said.map(({ text }) => text))].filter((text) => leaks(text, secrets)));
  const places = said.filter(({ text }) => leaking.has(text)).map(({ where }) => where);
  assert.deepEqual([...new Set(places)], [], 'places where a secret stands');
}

/** Fails where the log holds a secret. */
export function assertLogHasNone({ lines }: Plugin): void {
  const leaking = lines.filter((line) => leaks(line, secrets)).length;
  assert.equal(leaking, 0, `${leaking} of ${lines.length} log lines hold a secret`);
}
