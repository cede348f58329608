import { newRule } from '../../src/query/firstQuery';
import { selectors } from '../../src/selectors';
import { dashboard, panel } from './support/dashboard';
import { type GrafanaApi, type Instance } from './support/grafana';
import { column, dataSetRadio, type Frame } from './support/query';
import { type Simulator } from './support/simulator';
import { expect, test } from './support/test';

const { query } = selectors;
const scale = /^The query currently returns [\d.]+( to [\d.]+)?; enter the threshold on the same scale$/;

interface Evaluation {
  results: Record<string, { frames: Frame[] }>;
}

test('a new alert rule queries the success rate of each automation, with one instance for each', async ({
  api,
  provisioned,
  alertRuleEditPage,
  page,
}) => {
  const row = await alertRuleEditPage.getQueryRow();
  await row.datasource.set(provisioned.name);

  await expect(dataSetRadio(page, query.dataSet, 'Automations')).toBeChecked();
  await expect(page.getByTestId(query.format).getByRole('radio', { name: 'Number' })).toBeChecked();
  await expect(page.getByTestId(query.measure)).toHaveValue('Success rate');
  await expect(page.getByTestId(query.measureHelp)).toContainText("the service's own number");
  await expect(page.getByTestId(query.more)).toHaveText('MoreLast days: 7');
  await expect(page.getByTestId(query.filterField(0))).toHaveValue('Tasks');
  await expect(page.getByTestId(query.conditionHelp)).toHaveText(scale);

  // What is shown is also queried: a rule whose query was never edited must not fall back to a table.
  const evaluated = await alertRuleEditPage.evaluate();
  expect(evaluated.status(), await evaluated.text()).toBe(200);
  const { results }: Evaluation = await evaluated.json();
  const labels = results.C.frames.map(({ schema }) => schema.fields[0].labels?.label);
  expect(labels.sort()).toEqual([...(await api.automationNames(provisioned.uid, 1)).keys()].sort());
  await expect(page.getByText(/^(Firing|Normal)$/)).toHaveCount(labels.length);
});

test('a rule that is made from a panel of success rates starts as a new one does', async ({
  provisioned,
  openDashboard,
  page,
}) => {
  // The success rates that the service reports.
  const starter = { ...newRule, days: undefined };
  const rates = panel(provisioned.uid, starter, { type: 'bargauge', title: 'Rates' });
  await openDashboard(dashboard([rates]));
  await page.getByTestId('data-testid Panel header Rates').hover();
  await page.getByTestId('data-testid Panel menu Rates').click();
  await page.getByTestId('data-testid Panel menu item More...').hover();
  await page.getByTestId('data-testid Panel menu item New alert rule').click();

  await expect(dataSetRadio(page, query.dataSet, 'Automations')).toBeChecked();
  await expect(page.getByTestId(query.measure)).toHaveValue('Success rate');
  await expect(page.getByTestId(query.filterField(0))).toHaveValue('Tasks');
  await expect(page.getByTestId(query.conditionHelp)).toHaveText(scale);
});

test('the provisioned rules query numbers, and lead to panels', async ({ api }) => {
  const rules = [...(await api.rules()).values()];
  expect(rules.length).toBeGreaterThan(10);
  for (const rule of rules) {
    await test.step(rule.title, async () => {
      const results = await api.evaluate(rule);
      expect(Object.keys(results).sort()).toEqual(rule.data.map(({ refId }) => refId).sort());
      expect(Object.values(results).flatMap(({ error }) => error ?? [])).toEqual([]);
      const numbers = results[rule.condition].frames.flatMap(({ data }) => data.values).flat();
      expect(numbers.filter((number) => ![0, 1, null].includes(number as number))).toEqual([]);

      const { panels } = await api.dashboard(rule.annotations.__dashboardUid__);
      expect(panels.map(({ id }) => String(id))).toContain(rule.annotations.__panelId__);
    });
  }
});

test('the rules about what stopped fire, survive an outage that is reported once, and recover', async ({
  api,
  createSource,
  copyRules,
  simulator,
}) => {
  test.setTimeout(400_000);
  // The past of the simulated service changes, so nothing that was read may be kept.
  const { uid: source } = await createSource({ jsonData: { cacheTTL: 0, incrementalQuerying: false } });
  const [successes, failures, silence, outage] = await copyRules(source, [
    'insights-no-success',
    'insights-failures-in-a-row',
    'insights-silent-runner',
    'insights-service-unreadable',
  ]);
  const robot = 'stock-sync';
  const expectState = async (title: string, state: string, label = '') => {
    const instance = async () => instanceOf(await api.instances(title), label);
    await expect.poll(async () => (await instance())?.state, { message: title, timeout: 60_000 }).toBe(state);
    return (await instance())?.annotations ?? {};
  };

  await simulator.setSuccessRate(robot, 0);
  try {
    await failThreeTimes(api, simulator, source, robot);
    const quiet = await expectState(successes, 'Alerting (NoData)', robot);
    expect(quiet.summary).toBe(`${robot} has not succeeded in the last 7 days`);
    expect(quiet.__dashboardUid__).toBe('insights-operations');
    const failing = await expectState(failures, 'Alerting', robot);
    expect(failing.summary).toMatch(/^\d+ failures of stock-sync in a row$/);
    expect(failing.dashboard).toMatch(/&var-automation=stock-sync$/);

    await simulator.setFault({ route: '*', kind: 'status', status: 503 });
    expect((await expectState(outage, 'Alerting (Error)')).Error).toContain('503');
    await expectState(failures, 'Alerting (Error, KeepLast)', robot);
    await expectState(silence, 'Normal (Error, KeepLast)');
  } finally {
    await simulator.clearFaults();
    await simulator.setSuccessRate(robot, null);
  }
  await expectState(outage, 'Normal');
  await expectState(failures, 'Normal', robot);
  await expectState(successes, 'Normal', robot);

  const runner = 'runner-01';
  await freezeWhileIdle(api, simulator, source, runner);
  expect((await expectState(silence, 'Alerting', runner)).summary).toBe(`${runner} is silent`);
  expect((await expectState(successes, 'Alerting', robot)).summary).toMatch(/^stock-sync has not succeeded for 1d /);
  await simulator.restore();
  await expect.poll(async () => instanceOf(await api.instances(silence), runner)?.state).not.toBe('Alerting');
  await expectState(successes, 'Normal', robot);
});

/** The instance with a label's value; of a rule without Group by, the only one. */
function instanceOf(instances: Instance[], label: string): Instance | undefined {
  return instances.find(({ labels }) => label === '' || Object.values(labels).includes(label));
}

/** Stops the service's time a day ago, when a runner had no task: one that is busy isn't silent. */
async function freezeWhileIdle(api: GrafanaApi, simulator: Simulator, source: string, runner: string): Promise<void> {
  for (let hours = 27; hours < 48; hours += 1) {
    await simulator.freeze(new Date(Date.now() - hours * 3_600_000).toISOString());
    const running = await api.query(source, {
      queryType: 'tasks',
      days: 7,
      columns: ['machineId'],
      filters: [{ key: 'state', operator: '=', value: 'RUNNING' }],
    });
    if (!column(running, 'machineId').includes(runner)) {
      return;
    }
  }
  throw new Error(`${runner} was busy at every hour from 27 to 47 hours ago`);
}

/** An unsuccessful task can be partially completed, which ends a row of failures: removes the newest of these. */
async function failThreeTimes(api: GrafanaApi, simulator: Simulator, source: string, label: string): Promise<void> {
  const frame = await api.query(source, {
    queryType: 'tasks',
    columns: ['id', 'finishStatus'],
    filters: [
      { key: 'activityLabel', operator: '=', value: label },
      { key: 'finishStatus', operator: '!=', value: '' },
    ],
    sort: { field: 'dateLastModified', order: 'desc' },
  });
  const statuses = column(frame, 'finishStatus');
  const third = statuses.flatMap((status, index) => (status === 'FAILED' ? index : []))[2];
  const partial = column(frame, 'id').filter((_, index) => index < third && statuses[index] !== 'FAILED');
  for (const id of partial) {
    await simulator.removeTask(id as number);
  }
}
