import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valuesOf } from '../../workbench/backend/frames';
import { type Handler, type Task, tasksPage, text, withHostile } from './support/hostile';
import { changes, type Incident, pageOf } from './support/incidents';
import { dataSourceFor, frameOf, noticesOf, startPlugin } from './support/plugin';

// When something needs attention, pkg/attention tests; here is what a panel and a rule get of it.

const plugin = startPlugin();
const [hour, day] = [3_600_000, 86_400_000];
const rule = { FromAlert: 'true' };

/** Asks about the only page of a service. */
function answersOf(
  page: string,
  queries: Array<Record<string, unknown>>,
  { headers = {}, settings = {}, now = Date.now() } = {}
) {
  const tasks: Handler = (response) => text(response, page);
  const range = { from: now - 7 * day, to: now };
  return withHostile({ tasks }, (url) => plugin.askAll(dataSourceFor(url, settings), queries, range, headers));
}

/** The severities of a rule by group and reason. */
function severities({ schema, data }: ReturnType<typeof frameOf>) {
  const nameOf = ({ activityLabel, reason }: Record<string, string>) => `${activityLabel} ${reason}`;
  return Object.fromEntries(
    schema.fields.map(({ labels }, index) => [labels ? nameOf(labels) : '', data.values[index][0]])
  );
}

const failing: Incident = { activityLabel: 'orders', hours: 2.3, then: changes.failing };
const incidents: Incident[] = [
  failing,
  { activityLabel: 'intake', hours: 2.8, then: changes.empty },
  { activityLabel: 'claims', hours: 9, then: changes.silent },
  { activityLabel: 'billing', hours: 3.1, then: changes.waiting },
  { activityLabel: 'exports', hours: 5, then: changes.slow },
  { activityLabel: 'imports', hours: 1.2, then: changes.hung },
  { activityLabel: 'well', hours: 0 },
];

test('a rule has an instance for each automation and reason, and a panel lists the same', async () => {
  const page = pageOf(incidents, Date.now());
  const [asked] = await answersOf(page, [{ format: 'attention' }], { headers: rule });
  assert.equal(frameOf(asked).schema.meta?.type, 'numeric-wide');
  assert.deepEqual(severities(frameOf(asked)), {
    ...{ 'orders failing': 3, 'intake empty': 2, 'claims silent': 3, 'billing waiting': 3 },
    ...{ 'exports slow': 2, 'imports slow': 2 },
  });
  const panel = frameOf((await answersOf(page, [{ format: 'attention' }]))[0]);
  const [labels, reasons, listed] = ['activityLabel', 'reason', 'severity'].map((name) => valuesOf(panel, name));
  assert.deepEqual(
    Object.fromEntries(labels.map((label, row) => [`${label} ${reasons[row]}`, listed[row]])),
    severities(frameOf(asked))
  );
});

for (const [what, from, to, isJudged] of [
  ['ends by another name', /"dateLastModified"/g, '"dateEnd"', true],
  ['creations by another name', /"dateCreation"/g, '"created"', false],
  ['creations that are null', /"dateCreation":"[^"]*"/g, '"dateCreation":null', false],
  ['results and states by other names', /"(finishStatus|state)"/g, '"other_$1"', false],
] as const) {
  test(`a rule is not 0 over ${what}`, async () => {
    const page = pageOf([failing], Date.now()).replaceAll(from, to);
    const [asked] = await answersOf(page, [{ format: 'attention' }], { headers: rule });
    assert.deepEqual(severities(frameOf(asked)), isJudged ? { 'orders failing': 3 } : {});
    assert.equal(noticesOf(frameOf(asked)).includes('Cannot be judged: 1'), !isJudged);
  });
}

test('every runner has a row that says what it does, and a rule is the same without these', async () => {
  const page = pageOf(
    [
      { activityLabel: 'a', machineId: 'works', hours: 24.05 },
      { activityLabel: 'b', machineId: 'idle', hours: 24.5 },
      { activityLabel: 'c', machineId: 'dead', hours: 250, then: changes.silent },
      { activityLabel: 'd', machineId: 'hangs', hours: 3, then: changes.hung },
    ],
    Date.now()
  );
  const some = { format: 'attention', groupBy: ['machineId'] };
  const all = { ...some, attention: { all: true } };
  const [robots, refused] = await answersOf(page, [all, { ...all, groupBy: ['activityLabel'] }]);
  const [runners, states, reasons] = ['machineId', 'state', 'reason'].map((name) => valuesOf(frameOf(robots), name));
  const rows = runners.map((runner, row) => `${runner} ${states[row]} ${reasons[row]}`);
  assert.deepEqual(rows, ['dead quiet silent', 'hangs hung slow', 'idle idle null', 'works working null']);
  assert.match(refused.error!, /Group by machineId/);
  const [one, other] = await answersOf(page, [all, some], { headers: rule });
  assert.deepEqual(frameOf(one).data, frameOf(other).data);
});

test('the deadlines of the settings, by the clocks of their time zone: in a rule, a panel, due today, and as a share', async () => {
  const now = Date.now();
  // A time zone in which it is between 12:00 and 13:00: "GMT+3" is west of Greenwich.
  const west = new Date(now).getUTCHours() - 12;
  const timezone = `Etc/GMT${west < 0 ? '' : '+'}${west}`;
  const midnight = Math.floor((now - west * hour) / day) * day + west * hour;
  const run = (activityLabel: string, at: number, more: Partial<Task> = {}): Task => {
    const created = midnight + at * hour;
    return { activityLabel, created, started: created + 60_000, ended: created + 40 * 60_000, ...more };
  };
  // Daily tasks from 6:00 to 6:40, of which those of payroll fail today, and one that should take half an hour hangs.
  const runs = Array.from({ length: 20 }, (_, days) => 6 - 24 * days).flatMap((at) => [
    run('orders', at),
    run('payroll', at, { finishStatus: at > 0 ? 'FAILED' : 'SUCCESS' }),
  ]);
  runs.push(run('reports', 11, { state: 'RUNNING', finishStatus: null }));
  const daily = ['orders', 'payroll', 'ghost'].map((automation) => ({ automation, by: '07:00', timezone }));
  const settings = { deadlines: [...daily, { automation: 'rep*', within: '30m' }] };
  const others = { failing: 0, empty: 0, silent: 0, waiting: 0, slow: 0 };
  const attention = { format: 'attention', attention: others, timezone };
  const met = { format: 'numeric', measure: 'deadlinesMet', groupBy: ['activityLabel'], timezone };
  const page = tasksPage(runs);

  const [late, off, kept] = await answersOf(
    page,
    [attention, { ...attention, attention: { ...others, deadline: 0, failing: '' } }, met],
    { headers: rule, settings, now }
  );
  assert.deepEqual(severities(frameOf(late)), { 'payroll deadline': 3, 'ghost deadline': 3, 'reports deadline': 3 });
  assert.deepEqual(severities(frameOf(off)), { '': 0 });
  const shares = frameOf(kept).schema.fields.map(({ labels }, at) => [
    labels!.activityLabel,
    frameOf(kept).data.values[at][0],
  ]);
  assert.deepEqual(Object.fromEntries(shares), { orders: 1, payroll: 6 / 7, ghost: 0, reports: 0 });

  const [panel, elsewhere, due] = await answersOf(
    page,
    [attention, { ...attention, timezone: 'Asia/Kathmandu' }, { format: 'deadlines', timezone }],
    { settings, now }
  );
  const why = (of: typeof panel, label: string) =>
    valuesOf(frameOf(of), 'why')[valuesOf(frameOf(of), 'activityLabel').indexOf(label)] as string;
  const today = new Date(now - west * hour).toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' });
  assert.equal(why(panel, 'payroll'), `not done by ${today} 07:00: failed ${today} 06:40`);
  assert.match(
    why(panel, 'reports'),
    new RegExp(`^not done by ${today} 11:30 \\(00:30:00 after creation\\): running for \\d\\d:\\d\\d:\\d\\d$`)
  );
  assert.equal(why(elsewhere, 'ghost'), `not done by ${today} 07:00 ${timezone}: no success before`);
  const [labels, states, times] = ['activityLabel', 'state', 'due'].map((name) => valuesOf(frameOf(due), name));
  assert.deepEqual(
    labels.map((label, row) => `${label} ${states[row]} ${((times[row] as number) - midnight) / hour}`),
    ['ghost late 7', 'orders done 7', 'payroll late 7', 'reports late 11.5']
  );
  assert.deepEqual(noticesOf(frameOf(due)), []);
});
