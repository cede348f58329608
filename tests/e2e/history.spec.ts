import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { stringify } from 'yaml';

import { bundledHistory, Boards } from './support/boards';
import { type Engine, Prometheus, type Series } from './support/prometheus';
import { groups, measures, sum, type Task, tasksOf } from './support/rows';
import { expect, key, recordingRules, test } from './support/test';
import { grafanaAt, numbersOf, type RecordingRule, samplesAt } from '../../scripts/backfill';
import { startSimulator } from '../../simulator';
import { type AutomationRecord } from '../../simulator/reports';
import { Client } from '../../simulator/testing';
import { readRecordingRules } from '../dashboards/support/files';

const HOUR = 3600;
const DAY = 24 * HOUR;

// Grafana only renders and queries visible panels.
test.use({ viewport: { width: 1600, height: 2000 }, timezoneId: 'UTC' });

const flat = (series: Series[]) =>
  series.flatMap(({ labels, samples }) => samples.map(([at, value]) => ({ labels, at, value })));

test('the recording rules are provisioned as a file says', async ({ api }) => {
  const provisioned = await api.recordingRules();
  test.skip(provisioned.length === 0, 'provisioning/history is not provisioned in this Grafana');
  const { rules } = readRecordingRules();
  expect(provisioned.map(({ uid, title, record }) => ({ uid, title, record }))).toEqual(
    rules.map(({ uid, title, record }) => ({
      uid,
      title,
      record: { metric: record!.metric, from: record!.from, target_datasource_uid: record!.targetDatasourceUid },
    }))
  );
});

for (const engine of ['prometheus', 'victoria-metrics'] satisfies Engine[]) {
  test.describe(engine, () => {
    test.use({ engine });
    test('recording rules write what a backfill would, and a null does not stop the others', async ({
      api,
      baseURL,
      createSource,
      engine,
      prometheus,
      provisioned,
      recordTo,
      simulator,
    }) => {
      test.setTimeout(300_000);
      const now = Date.now();
      await simulator.freeze(new Date(now).toISOString());
      const client = new Client(provisioned.url);
      await client.login(provisioned.jsonData.login ?? '', key);

      // Of one automation, nothing of the last day has finished.
      const isRecent = ({ dateCreation }: Task) => dateCreation > now - (DAY + 600) * 1000;
      const recent = groups((await tasksOf(client, 10)).filter(isRecent), ({ activityLabel }) => activityLabel);
      const [nothingFinished] = [...recent]
        .filter(([, own]) => own.some(({ finishStatus }) => finishStatus === null))
        .sort(([, a], [, b]) => a.length - b.length);
      for (const { id } of nothingFinished[1].filter(({ finishStatus }) => finishStatus !== null)) {
        await simulator.removeTask(Number(id));
      }
      const savings = (await client.automations('?filterBy=1&size=2000')).content as AutomationRecord[];

      const { uid } = await createSource();
      const run = await recordTo(uid);
      const recorded = async (metric: string) => prometheus.samples(`${metric}{e2e="${run}"}`, now);
      await expect(async () => {
        for (const { record } of readRecordingRules().rules) {
          const [{ samples }] = await recorded(record!.metric);
          expect(samples.length, record!.metric).toBeGreaterThan(1);
        }
      }).toPass({ timeout: 180_000, intervals: [5_000] });

      const account = await api.createServiceAccount();
      // VictoriaMetrics keeps about 12 digits.
      const kept = (value: number) => (engine === 'prometheus' ? value : value.toPrecision(9));
      for (const rule of recordingRules(uid, run) as RecordingRule[]) {
        const samples = flat(await recorded(rule.record.metric));
        for (const moment of new Set(samples.map(({ at }) => at))) {
          const expected = rule.record.metric.endsWith('savings')
            ? savings.map((record) => ({ labels: record, value: record.savings! }))
            : (await samplesAt(grafanaAt(baseURL!, account.key), rule, moment * 1000)).samples;
          const of = ({ labels, value }: { labels: Record<string, unknown>; value: number }) =>
            [labels.activityLabel ?? labels.label, labels.organizationLabel, kept(value)].join();
          const written = samples.filter(({ at }) => at === moment);
          expect(written.map(of).sort(), `${rule.record.metric} at ${moment}`).toEqual(expected.map(of).sort());
        }
      }
      await api.deleteServiceAccount(account.id);
      const labelsOf = async (metric: string) => (await recorded(metric)).map(({ labels }) => labels.activityLabel);
      expect(await labelsOf('insights_automation_tasks')).toContain(nothingFinished[0]);
      expect(await labelsOf('insights_automation_success_rate')).not.toContain(nothingFinished[0]);
    });

    test('the history shows a time that the service has forgotten, and an automation that no longer exists', async ({
      api,
      page,
      prometheus,
      provisioned,
    }) => {
      // Samples every five minutes over three whole days, more than a year ago.
      const workspace = `forgotten ${crypto.randomUUID()}`;
      const start = Math.floor(Date.now() / 1000 / DAY) * DAY - 400 * DAY;
      const moments = Array.from({ length: (3 * DAY) / 300 + 1 }, (_, index) => start + index * 300);
      const write = (metric: string, value: (day: number) => number, labels = {}) => ({
        labels: { __name__: metric, organizationLabel: workspace, ...labels },
        // At midnight, a day is over.
        samples: moments.map((at): [number, number] => [at, value(Math.ceil((at - start) / DAY))]),
      });
      const retired = { activityLabel: 'retired' };
      await prometheus.write([
        write('insights_automation_success_rate', () => 0.75, retired),
        write('insights_workspace_success_rate', () => 0.8),
        write('insights_automation_tasks', (day) => [5, 10, 20, 30][day], retired),
        write('insights_automation_queued', (day) => [0, 4, 7, 2][day], retired),
        write('insights_automation_savings', (day) => [50, 100, 200, 300][day], { label: 'retired' }),
      ]);

      const [from, to] = [start * 1000, (start + 3 * DAY) * 1000];
      const forgotten = await api.query(provisioned.uid, { format: 'table' }, { from, to });
      expect(forgotten.data.values[0] ?? []).toEqual([]);

      const shown = await new Boards(page).open(bundledHistory, {
        from: `${from}`,
        to: `${to}`,
        'var-workspace': workspace,
      });
      const values = (title: string, refId = 'A') =>
        shown
          .get(title)!
          .frames[refId].flatMap(({ data }) => data.values[1].map((value) => Number(Number(value).toPrecision(9))));
      expect(new Set(values('Success rate'))).toEqual(new Set([0.8]));
      expect(new Set(values('Success rate', 'B'))).toEqual(new Set([0.75]));
      expect(Math.max(...values('Queue by automation'))).toBe(7);
      expect(values('Tasks per day by automation')).toEqual([10, 20, 30]);
      expect(values('Savings per day by automation')).toEqual([100, 200, 300]);
      expect(shown.get('All automations')!.rows).toEqual([
        ['Workspace', 'Automation', 'Success rate', 'Tasks', 'Savings', 'Longest queue'],
        [workspace, 'retired', '75.0%', '60', '600', '7'],
      ]);
    });
  });
}

test('a backfill is what the rules recorded, to the last digit, and shows 30 days on the first day', async ({
  api,
  baseURL,
  createSource,
  page,
}, testInfo) => {
  test.skip(process.env.INCIDENTS_HOST !== '127.0.0.1', 'INCIDENTS_HOST is not 127.0.0.1: Grafana must run here');
  test.setTimeout(900_000);
  const end = Math.floor(Date.now() / 1000 / DAY) * DAY;
  const [start, week] = [end - 30 * DAY, end - 7 * DAY];
  const iso = (at: number) => new Date(at * 1000).toISOString();
  const folder = mkdtempSync(path.join(tmpdir(), 'backfill-'));
  const simulator = await startSimulator({ frozen: iso(week), historyDays: 40, size: 'honored' });
  const { url, world } = simulator;
  const account = await api.createServiceAccount();
  const stores = [await Prometheus.start('victoria-metrics')];
  try {
    // Grafana evaluates the rules as of each hour, while the service is at that hour.
    const recorder = await createSource({ url, jsonData: { cacheTTL: 0 } });
    const recorded: Series[] = [];
    for (let at = week + HOUR; at <= end; at += HOUR) {
      world.clock.freeze(at * 1000);
      for (const { record, data, labels } of recordingRules(recorder.uid, 'recorded')) {
        const numbers = numbersOf(await api.evaluate({ data, condition: record!.from }, iso(at)), record!.from);
        const series = [...numbers.values()].map((one): Series => ({
          labels: { __name__: record!.metric, ...one.labels, ...labels },
          samples: [[at, one.value]],
        }));
        recorded.push(...(record!.metric.endsWith('savings') ? [] : series));
      }
    }

    const client = new Client(url);
    await client.login();
    const ofDay = (await tasksOf(client, 2)).filter(({ dateCreation: created }) => created >= (end - DAY) * 1000);
    const rates = [...groups(ofDay, ({ activityLabel }) => activityLabel)].map(([label, own]) => [
      label,
      measures.successRate(own),
    ]);
    const last = flat(recorded).filter(
      ({ labels, at }) => labels.__name__ === 'insights_automation_success_rate' && at === end
    );
    expect(Object.fromEntries(last.map(({ labels, value }) => [labels.activityLabel, value]))).toEqual(
      Object.fromEntries(rates.filter(([, rate]) => rate !== null))
    );

    // Meanwhile, tasks have ended.
    world.clock.freeze(Date.now());
    const { uid } = await createSource({ url });
    const [rules, output] = ['rules.yaml', 'history.om'].map((name) => path.join(folder, name));
    writeFileSync(rules, stringify({ groups: [{ rules: recordingRules(uid, 'backfilled') }] }));
    const backfill = async (to: number, ...more: string[]) => {
      const options = ['--grafana', baseURL!, '--data-source', uid, '--rules', rules, '--output', output, ...more];
      const command = ['run', '--silent', 'backfill', '--', ...options, '--from', iso(start), '--to', iso(to)];
      const env = { ...process.env, GRAFANA_TOKEN: account.key };
      const { stdout, stderr } = await promisify(execFile)('npm', command, { env });
      expect(stdout + stderr).not.toContain(account.key);
      return JSON.parse(readFileSync(`${output}.json`, 'utf8')).unknown as number;
    };
    const before = await backfill(week);
    const unknown = (await backfill(end, ...(stores[0] ? ['--push', stores[0].url] : []))) - before;
    stores.push(await Prometheus.start('prometheus', output));
    test.skip(!stores.some(Boolean), 'there is neither prometheus nor victoria-metrics on the path');

    const created = (await tasksOf(client, 40)).filter(
      (task) => start * 1000 <= task.dateCreation && task.dateCreation <= end * 1000
    );
    for (const [index, store] of stores.entries()) {
      if (!store) {
        continue;
      }
      await api.createPrometheus(store.url, `backfilled-${index}`);
      const range = { from: `${start * 1000}`, to: `${end * 1000}`, 'var-prometheus': `backfilled-${index}` };
      const shown = await new Boards(page).open(bundledHistory, range);
      const [days, hours] = ['Tasks per day by automation', 'Success rate'].map((title) =>
        shown.get(title)!.frames.A.map(({ data }) => data.values.map((values) => values.map(Number)))
      );
      expect(new Set(days.flatMap(([times]) => times)).size).toBe(30);
      expect(sum(days.flatMap(([, numbers]) => numbers))).toBe(created.length);
      expect(new Set(hours[0][0].map((at) => Math.floor(at / DAY / 1000))).size).toBeGreaterThanOrEqual(30);

      await store.write(recorded);
      const stored = async (run: string) => {
        const series = await store.samples(`{__name__=~"insights_.+", e2e="${run}"}`, (week + HOUR / 2) * 1000);
        return new Map(
          flat(series).map(({ labels, at, value }) => [JSON.stringify([{ ...labels, e2e: 0 }, at]), value])
        );
      };
      await expect.poll(async () => (await stored('recorded')).size).toBe(recorded.length);
      const [expected, written] = [await stored('recorded'), await stored('backfilled')];
      const different = [...written].filter(([sample, value]) => expected.get(sample) !== value);
      const missing = [...expected.keys()].filter((sample) => !written.has(sample));
      testInfo.annotations.push({ type: 'recorded, backfilled', description: `${expected.size}, ${written.size}` });
      expect(different).toEqual([]);
      expect(missing.filter((sample) => !sample.includes('success_rate'))).toEqual([]);
      expect(missing.length).toBeLessThanOrEqual(unknown);
      expect(written.size).toBeGreaterThan(5_000);
    }
  } finally {
    await api.deleteServiceAccount(account.id);
    await Promise.all(stores.map((_, index) => api.deleteSource(`backfilled-${index}`)));
    stores.forEach((store) => store?.stop());
    await simulator.close();
    rmSync(folder, { recursive: true });
  }
});
