import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock, test } from 'node:test';

import { type Ask, backfill, grafanaAt } from './backfill';

const HOUR = 3_600_000;
const from = Date.UTC(2026, 10, 2);

const provisioned = readFileSync('provisioning/history/alerting.yaml', 'utf8');

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
  const run = (ask: Ask, name: string, hours: number, uid = 'insights') => {
    const options = { ask, uid, rules: provisioned, from, to: from + hours * HOUR, output: path.join(folder, name) };
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

  let left = 12;
  const failing: Ask = async (queries, range) =>
    left-- > 0 ? answered(queries, range) : Promise.reject(new Error('down'));
  await assert.rejects(run(failing, 'parts', 14), /^Error: down$/);
  await run(answered, 'parts', 6);
  await run(answered, 'parts', 14);
  assert.equal(text('parts'), text('whole'));
  await assert.rejects(run(answered, 'other', 1, 'unknown'), /there is no rule to ask of the data source unknown/);
});

test('an error of Grafana does not repeat the token', async (t) => {
  const echo = async (_: unknown, { headers }: RequestInit = {}) =>
    new Response(JSON.stringify(headers), { status: 403 });
  mock.method(globalThis, 'fetch', echo);
  t.after(() => mock.restoreAll());
  await assert.rejects(grafanaAt('http://127.0.0.1', 'glsa_secret')([], [0, 1]), /403: .*"Authorization":"Bearer …"/);
});
