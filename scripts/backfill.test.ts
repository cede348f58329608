import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock, test } from 'node:test';

import { type Ask, backfill, grafanaAt } from './backfill';

const HOUR = 3_600_000;
const from = Date.UTC(2026, 10, 2);

const provisioned = 'provisioning/history/alerting.yaml';

/** Two automations of which the tasks ended known times ago; of one, a task ran for long until 3:00. */
const answered: Ask = async (queries, [, at]) => {
  const answer = ({ refId, filters = [] }: { refId: string; filters?: Array<{ key: string; operator: string }> }) => {
    const asked = filters.map(({ key, operator }) => `${key} ${operator}`).join();
    const unknown = Number(asked === 'outcome !=' && at < from + 3 * HOUR);
    const count =
      { 'outcome !=': 9, 'outcome !=,dateLastModified <=': 7, 'outcome !=,dateStartRunning >': 1 }[asked] ?? 1;
    const numbers = refId.startsWith('part') ? [count, count + unknown] : [2 / 3, 0.5];
    const fields = numbers.map((_, index) => ({
      type: 'number',
      labels: { activityLabel: ['say "a\\b"', 'slow'][index] },
    }));
    return { frames: [{ schema: { fields }, data: { values: numbers.map((number) => [number]) } }] };
  };
  const oldest = { frames: [{ schema: { fields: [] }, data: { values: [[from - 6.5 * 24 * HOUR]] } }] };
  const results = (queries as Array<{ refId: string; format: string }>).map((query) => [
    query.refId,
    query.format === 'table' ? oldest : answer(query),
  ]);
  return Object.fromEntries(results);
};

test('a backfill begins with what is known, leaves out what is not, and goes on after a failure', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'backfill-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const printed: string[] = [];
  const run = (ask: Ask, name: string, hours: number, changed = {}) => {
    const same = { ask, grafana: 'http://a', uid: 'insights', rules: provisioned, from };
    const options = { ...same, to: from + hours * HOUR, output: path.join(folder, name), ...changed };
    return backfill(options, (line) => printed.push(line));
  };
  const text = (name: string) => readFileSync(path.join(folder, name), 'utf8');

  await run(answered, 'whole', 14);
  const seconds = from / 1000;
  const [a, slow] = ['activityLabel="say \\"a\\\\b\\""', 'activityLabel="slow"'];
  const at = (hour: number) =>
    text('whole')
      .split('\n')
      .filter((line) => line.endsWith(` ${seconds + hour * 3600}`))
      .map((line) => line.replace(/ \d+$/, ''));
  const rates = ['insights_automation_success_rate', 'insights_workspace_success_rate'];
  const tasks = [`insights_automation_tasks{${a}} 0.6666666666666666`, `insights_automation_tasks{${slow}} 0.5`];
  assert.deepEqual(at(2), [...rates.map((name) => `${name}{${a}} 0.6666666666666666`), ...tasks]);
  assert.equal(at(3).filter((line) => line.includes(slow)).length, 3);
  // What waits is the sum of three numbers, as of when a week is known.
  assert.deepEqual(
    [at(12).length, at(13).slice(6)],
    [6, [a, slow].map((labels) => `insights_automation_queued{${labels}} 3`)]
  );
  assert.match(text('whole'), /^(# TYPE \w+ gauge\n){4}(insights_\w+\{.*\} [\d.]+ \d+\n)+# EOF\n$/);
  assert.deepEqual(printed.slice(0, 2), [
    'insights_automation_savings is left out: the service reports these totals up to now only',
    'insights_automation_queued begins 2026-11-02T12:10:00.000Z: the service lists no earlier task',
  ]);
  assert.match(printed.at(-1)!, /: 88 samples; 6 rates are left out/);

  let left = 0;
  const failing: Ask = async (queries, range) =>
    left-- > 0 ? answered(queries, range) : Promise.reject(new Error('down'));
  // The first question, the next, and one in between fail.
  for (left of [0, 1, 12]) {
    await assert.rejects(run(failing, 'parts', 14), /^Error: down$/);
  }
  await run(answered, 'parts', 6);
  await run(answered, 'parts', 14);
  assert.equal(text('parts'), text('whole'));
  await assert.rejects(run(failing, 'parts', 14), /^Error: down$/);
  assert.equal(text('parts'), text('whole'));

  const begun =
    /parts was begun with another --grafana, --data-source, or --from, or other rules: choose another --output/;
  await assert.rejects(run(answered, 'parts', 14, { grafana: 'http://b' }), begun);
  writeFileSync(path.join(folder, 'foreign'), 'kept');
  await assert.rejects(run(answered, 'foreign', 1), /foreign exists without .*foreign.json: choose another --output/);
  assert.equal(text('foreign'), 'kept');
  const none = /alerting.yaml has no recording rule to ask of the data source unknown/;
  await assert.rejects(run(answered, 'other', 1, { uid: 'unknown' }), none);
  await assert.rejects(run(answered, 'other', 1, { rules: 'package.json' }), /package.json has no recording rule/);
});

test('an error of Grafana says what to check, and does not repeat the token', async (t) => {
  let status = 400;
  const echo = async (_: unknown, { headers }: RequestInit = {}) => new Response(JSON.stringify(headers), { status });
  const fetched = mock.method(globalThis, 'fetch', echo);
  t.after(() => mock.restoreAll());
  const ask = () => grafanaAt('http://127.0.0.1:2', ' glsa_secret\n')([], [0, 1]);
  await assert.rejects(ask(), /400: .*"Authorization":"Bearer …"/);
  for (status of [401, 403, 404]) {
    await assert.rejects(ask(), new RegExp(`^Error: Grafana answered ${status}: (check|allow) [^{]+$`));
  }
  fetched.mock.restore();
  await assert.rejects(ask(), /^Error: no answer from http:\/\/127.0.0.1:2 \(ECONNREFUSED\): check --grafana$/);
  for (const token of ['glsa_a\nb', 'glsa_é']) {
    assert.throws(
      () => grafanaAt('http://127.0.0.1', token),
      /^Error: GRAFANA_TOKEN must be one line of visible ASCII/
    );
  }
});

test('the command says which option is missing or wrong', () => {
  const required = ['--grafana=http://127.0.0.1:2', '--data-source=insights'];
  for (const [args, expected] of [
    [[], 'GRAFANA_TOKEN, --grafana, --data-source, --from must be set: see --help'],
    [['--from=2026-11-02', '--to=2026-11-01'], '--from 2026-11-02 is after --to 2026-11-01: choose an earlier --from'],
    [['--from=2999-01-01'], '--from 2999-01-01 is in the future: choose an earlier --from'],
    [['--from=soon'], '--from needs a time such as 2026-11-01 or 2026-11-01T09:00Z, not "soon"'],
  ] as Array<[string[], string]>) {
    const env = { ...process.env, GRAFANA_TOKEN: args.length > 0 ? 'glsa_secret' : '' };
    const command = ['--import', 'tsx', 'scripts/backfill.ts', ...(args.length > 0 ? required : []), ...args];
    const { status, stderr } = spawnSync(process.execPath, command, { env, encoding: 'utf8' });
    assert.deepEqual([status, stderr.trim()], [1, expected]);
  }
});
