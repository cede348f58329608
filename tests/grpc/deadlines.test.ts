import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Handler, type Task, tasksPage, text, withHostile } from './support/hostile';
import { dataSourceFor, frameOf, noticesOf, startPlugin, valuesOf } from './support/plugin';

const plugin = startPlugin();

const [hour, day] = [3_600_000, 86_400_000];
const now = Date.now();
// A time zone in which it is between 12:00 and 13:00: "GMT+3" is west of Greenwich.
const west = new Date(now).getUTCHours() - 12;
const timezone = `Etc/GMT${west < 0 ? '' : '+'}${west}`;
const midnight = Math.floor((now - west * hour) / day) * day + west * hour;

/** A task that takes 40 minutes from a time in hours after the midnight of today. */
const run = (activityLabel: string, at: number, more: Partial<Task> = {}): Task => {
  const created = midnight + at * hour;
  return { activityLabel, created, started: created + 60_000, ended: created + 40 * 60_000, ...more };
};

/**
 * Daily tasks from 6:00 to 6:40, of which those of payroll fail today, and one that should take half an hour hangs. Orders come at
 * noon, too, until yesterday.
 */
const runs: Task[] = [
  ...Array.from({ length: 20 }, (_, days) => days).flatMap((days) => [
    run('orders', 6 - 24 * days),
    run('orders', -12 - 24 * days),
    run('payroll', 6 - 24 * days, { finishStatus: days === 0 ? 'FAILED' : 'SUCCESS' }),
  ]),
  run('reports', 11, { state: 'RUNNING', finishStatus: null }),
];

const daily = { by: '07:00', timezone };
const lines = [
  { automation: 'orders', ...daily },
  { automation: 'payroll', ...daily },
  { automation: 'ghost', ...daily },
  { automation: 'rep*', within: '30m' },
  { automation: 'orders', ...daily, by: '23:30', count: 2 },
];

async function ask(listed: Task[], deadlines: unknown[], query: object, headers: Record<string, string> = {}) {
  const tasks: Handler = (response) => text(response, tasksPage(listed));
  return withHostile({ tasks }, async (url) => {
    const range = { from: midnight - 7 * day, to: now };
    const [result] = await plugin.askAll(dataSourceFor(url, { deadlines }), [{ timezone, ...query }], range, headers);
    return result;
  });
}

const rule = { FromAlert: 'true' };

async function instances(listed: Task[], deadlines: unknown[], attention: object = {}) {
  const others = { failing: 0, empty: 0, silent: 0, waiting: 0, slow: 0 };
  const query = { format: 'attention', attention: { ...others, ...attention } };
  const { schema, data } = frameOf(await ask(listed, deadlines, query, rule));
  return Object.fromEntries(
    schema.fields.map(({ labels }, index) => [
      labels ? `${labels.activityLabel}/${labels.reason}` : '',
      data.values[index][0],
    ])
  );
}

describe('deadlines', () => {
  test('a rule has an instance for each automation that is late', async () => {
    const late = { 'payroll/deadline': 3, 'ghost/deadline': 3, 'reports/deadline': 3 };
    assert.deepEqual(await instances(runs, lines), late);
  });

  test('the rule is 0 if all are done, or the reason is off', async () => {
    const done = runs.map((run) => ({ ...run, state: undefined, finishStatus: 'SUCCESS' }));
    const kept = lines.filter(({ automation }) => automation !== 'ghost' && automation !== 'rep*');
    assert.deepEqual(await instances(done, kept), { '': 0 });
    assert.deepEqual(await instances(runs, lines, { deadline: 0, failing: '' }), { '': 0 });
  });

  test('a day without tasks is late for each', async () => {
    const before = runs.filter(({ created }) => created < midnight);
    const late = { 'ghost/deadline': 3, 'orders/deadline': 3, 'payroll/deadline': 3 };
    assert.deepEqual(await instances(before, lines.slice(0, 3)), late);
  });

  test('the sentence says until when, by the clocks of its time zone, and why it is late', async () => {
    const said = async (reader: object) => {
      const frame = frameOf(await ask(runs, lines, { format: 'attention', ...reader }));
      return Object.fromEntries(
        valuesOf(frame, 'activityLabel')!.map((label, row) => [label, valuesOf(frame, 'why')![row]])
      );
    };
    const why = await said({});
    const today = new Date(now - west * hour).toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' });
    assert.equal(why.payroll, `not done by ${today} 07:00: failed ${today} 06:40`);
    assert.equal(why.ghost, `not done by ${today} 07:00: no success before`);
    const late = `^not done by ${today} 11:30 \\(00:30:00 after creation\\): running for \\d\\d:\\d\\d:\\d\\d$`;
    assert.match(why.reports as string, new RegExp(late));
    const elsewhere = await said({ timezone: 'Asia/Kathmandu' });
    assert.equal(elsewhere.ghost, `not done by ${today} 07:00 ${timezone}: no success before`);
  });

  test('due today', async () => {
    const frame = frameOf(await ask(runs, lines, { format: 'deadlines' }));
    const rows = valuesOf(frame, 'activityLabel')!.map((label, row) => [
      label,
      valuesOf(frame, 'state')![row],
      ((valuesOf(frame, 'due')![row] as number) - midnight) / hour,
    ]);
    assert.deepEqual(rows, [
      ['ghost', 'late', 7],
      ['orders', 'done', 7],
      ['payroll', 'late', 7],
      ['reports', 'late', 11.5],
      ['orders', 'open', 23.5],
    ]);
    assert.deepEqual(noticesOf(frame), []);
  });

  test('the share that was kept, by automation', async () => {
    const query = { format: 'numeric', measure: 'deadlinesMet', groupBy: ['activityLabel'] };
    const { schema, data } = frameOf(await ask(runs, lines.slice(0, 4), query, rule));
    const shares = schema.fields.map(({ labels }, index) => [labels!.activityLabel, data.values[index][0]]);
    assert.deepEqual(Object.fromEntries(shares), { orders: 1, payroll: 7 / 8, ghost: 0, reports: 0 });
  });
});
