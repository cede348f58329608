import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Handler, text, withHostile } from './support/hostile';
import { dataSourceFor, frameOf, noticesOf, startPlugin, valuesOf } from './support/plugin';

const plugin = startPlugin();

const [hour, day] = [3_600_000, 86_400_000];
const now = Date.now();
// A time zone in which it is between 12:00 and 13:00: "GMT+3" is west of Greenwich.
const west = new Date(now).getUTCHours() - 12;
const timezone = `Etc/GMT${west < 0 ? '' : '+'}${west}`;
const midnight = Math.floor((now - west * hour) / day) * day + west * hour;

interface Run {
  activityLabel: string;
  /** Hours after the midnight of today. */
  at: number;
  state?: string;
  finishStatus?: string | null;
}

const rowOf = ({ activityLabel, at, state = 'FINISHED', finishStatus = 'SUCCESS' }: Run) => ({
  ...{ activityLabel, state, finishStatus, machineId: '7', totalItems: 1, processedItems: 1, failedItems: 0 },
  dateCreation: new Date(midnight + at * hour).toISOString(),
  dateStartRunning: new Date(midnight + at * hour + 60_000).toISOString(),
  dateLastModified: new Date(midnight + at * hour + 40 * 60_000).toISOString(),
});

/**
 * Daily tasks from 6:00 to 6:40, of which those of payroll fail today, and one that should take half an hour hangs. Orders come at
 * noon, too, until yesterday.
 */
const runs: Run[] = [
  ...Array.from({ length: 20 }, (_, days) => days).flatMap((days) => [
    { activityLabel: 'orders', at: 6 - 24 * days },
    { activityLabel: 'orders', at: -12 - 24 * days },
    { activityLabel: 'payroll', at: 6 - 24 * days, finishStatus: days === 0 ? 'FAILED' : 'SUCCESS' },
  ]),
  { activityLabel: 'reports', at: 11, state: 'RUNNING', finishStatus: null },
];

const daily = { by: '07:00', timezone };
const lines = [
  { automation: 'orders', ...daily },
  { automation: 'payroll', ...daily },
  { automation: 'ghost', ...daily },
  { automation: 'rep*', within: '30m' },
  { automation: 'orders', ...daily, by: '23:30', count: 2 },
];

async function ask(listed: Run[], deadlines: unknown[], query: object, headers: Record<string, string> = {}) {
  const content = listed
    .map(rowOf)
    .sort((a, b) => b.dateCreation.localeCompare(a.dateCreation))
    .map((row, index) => ({ ...row, id: index + 1 }));
  const envelope = { content, number: 0, size: content.length, totalElements: content.length, totalPages: 1 };
  const tasks: Handler = (response) =>
    text(response, JSON.stringify({ ...envelope, numberOfElements: content.length, first: true, last: true }));
  return withHostile({ tasks }, async (url) => {
    const range = { from: midnight - 7 * day, to: now };
    const [result] = await plugin.askAll(dataSourceFor(url, { deadlines }), [{ timezone, ...query }], range, headers);
    return result;
  });
}

const rule = { FromAlert: 'true' };

async function instances(listed: Run[], deadlines: unknown[], attention: object = {}) {
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
    const before = runs.filter(({ at }) => at < 0);
    const late = { 'ghost/deadline': 3, 'orders/deadline': 3, 'payroll/deadline': 3 };
    assert.deepEqual(await instances(before, lines.slice(0, 3)), late);
  });

  test('the sentence says until when, by the clocks of its time zone, and when the last success was', async () => {
    const said = async (reader: object) => {
      const frame = frameOf(await ask(runs, lines, { format: 'attention', ...reader }));
      return Object.fromEntries(
        valuesOf(frame, 'activityLabel')!.map((label, row) => [label, valuesOf(frame, 'why')![row]])
      );
    };
    const why = await said({});
    const today = new Date(now - west * hour).toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' });
    assert.match(why.payroll as string, new RegExp(`^not done by ${today} 07:00; last success \\w{3} 06:40`));
    assert.equal(why.ghost, `not done by ${today} 07:00; no success before`);
    assert.equal(why.reports, `not done within 00:30:00 of ${today} 11:00`);
    const elsewhere = await said({ timezone: 'Asia/Kathmandu' });
    assert.equal(elsewhere.ghost, `not done by ${today} 07:00 ${timezone}; no success before`);
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
