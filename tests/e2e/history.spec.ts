import { bundledHistory, Boards } from './support/boards';
import { type Series } from './support/prometheus';
import { groups, measures, type Task, tasksOf } from './support/rows';
import { expect, key, test } from './support/test';
import { type AutomationRecord } from '../../simulator/reports';
import { Client } from '../../simulator/testing';
import { readRecordingRules } from '../dashboards/support/files';

const DAY = 86_400;

// Grafana only renders and queries visible panels.
test.use({ viewport: { width: 1600, height: 2000 }, timezoneId: 'UTC' });

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

test('recording rules write the numbers of the service, and a null does not stop the others', async ({
  createSource,
  page,
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
  const read = () => tasksOf(client, 10);

  // Of one automation, nothing of the last day has finished.
  const isRecent = ({ dateCreation }: Task) => dateCreation > now - (DAY + 600) * 1000;
  const recent = groups((await read()).filter(isRecent), ({ activityLabel }) => activityLabel);
  const [nothingFinished] = [...recent]
    .filter(([, own]) => own.some(({ finishStatus }) => finishStatus === null))
    .sort(([, a], [, b]) => a.length - b.length);
  for (const { id } of nothingFinished[1].filter(({ finishStatus }) => finishStatus !== null)) {
    await simulator.removeTask(Number(id));
  }
  const listed = await read();
  const savings = (await client.automations('?filterBy=1&size=2000')).content as AutomationRecord[];

  const source = await createSource();
  const run = await recordTo(source.uid);
  const written = async (metric: string) => prometheus.samples(`${metric}{e2e="${run}"}`, now);
  await expect(async () => {
    for (const { record } of readRecordingRules().rules) {
      const [{ samples }] = await written(record!.metric);
      expect(samples.length, record!.metric).toBeGreaterThan(1);
    }
  }).toPass({ timeout: 180_000, intervals: [5_000] });

  const between = (at: number, days: number) =>
    listed.filter(({ dateCreation: created }) => (at - days * DAY) * 1000 <= created && created <= at * 1000);
  const byAutomation = (tasks: Task[]) => groups(tasks, ({ activityLabel }) => activityLabel);
  const reduced = (tasks: Task[], reduce: (own: Task[]) => number | null) =>
    known([...byAutomation(tasks)].map(([label, own]) => [label, reduce(own)]));
  const queued = (at: number) => between(at, 7).filter(({ state }) => state === 'START');
  const expected: Record<string, (at: number) => Record<string, number>> = {
    insights_automation_success_rate: (at) => reduced(between(at, 1), measures.successRate),
    insights_workspace_success_rate: (at) => known([['', measures.successRate(between(at, 1))]]),
    insights_automation_tasks: (at) => reduced(between(at, 1), ({ length }) => length),
    insights_automation_queued: (at) => reduced(queued(at), ({ length }) => length),
    insights_automation_savings: () => known(savings.map((record) => [record.label, record.savings])),
  };
  for (const [metric, numbers] of Object.entries(expected)) {
    const series = await written(metric);
    expect(new Set(series.map(({ labels }) => labels.organizationLabel)), metric).toEqual(new Set(['acme']));
    const moments = new Set(series.flatMap(({ samples }) => samples.map(([at]) => at)));
    for (const at of moments) {
      expect(numbersAt(series, at), `${metric} at ${at}`).toEqual(rounded(numbers(at)));
    }
  }
  const [at] = [...(await written('insights_automation_tasks'))[0].samples[0]];
  expect(expected.insights_automation_tasks(at)).toHaveProperty(nothingFinished[0]);
  expect(expected.insights_automation_success_rate(at)).not.toHaveProperty(nothingFinished[0]);

  // Each point shows the ten minutes before it.
  const range = { from: `${now - 3_600_000}`, to: `${now + 900_000}`, 'var-workspace': 'acme' };
  const shown = await new Boards(page).open(bundledHistory, range);
  const lines = shown.get('Queue by automation')!.frames.A.map(({ schema, data }) => {
    const { labels } = schema.fields[1];
    return [labels?.e2e, labels?.activityLabel, Math.max(...data.values[1].map(Number))];
  });
  const own = lines.filter(([tag]) => tag === run).map(([, label, value]) => [label, value]);
  expect(Object.fromEntries(own)).toMatchObject(expected.insights_automation_queued(at));
});

/** Numbers by label, without those that nobody knows. */
const known = (numbers: Array<[label: string, value: number | null]>) =>
  Object.fromEntries(numbers.filter((entry): entry is [string, number] => entry[1] !== null));

/** Sums depend on the order of their summands in the last digits. */
const rounded = (numbers: Record<string, number>) =>
  Object.fromEntries(Object.entries(numbers).map(([label, value]) => [label, Number(value.toPrecision(9))]));

/** What was written at a moment, by label of the automation. */
function numbersAt(series: Series[], moment: number) {
  const values = series.flatMap(({ labels, samples }) =>
    samples
      .filter(([at]) => at === moment)
      .map(([, value]): [string, number] => [labels.activityLabel ?? labels.label ?? '', value])
  );
  return rounded(Object.fromEntries(values));
}

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
