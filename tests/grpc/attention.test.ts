import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { groups, readAll, type TaskRow } from '../../workbench/reference';
import { dataSourceFor, frameOf, startPlugin, valuesOf } from './support/plugin';
import { frozen, startService } from './support/service';

const now = Date.parse(frozen);
const range = { from: now - 3_600_000, to: now };
const query = { format: 'attention', attention: { failures: '2', silent: 0.001 } };

/** Tasks that failed since the last one that succeeded. */
function failures(tasks: TaskRow[]): number {
  const ends = (wanted: string) =>
    tasks.filter(({ finishStatus }) => finishStatus === wanted).map((task) => task.dateLastModified!);
  const last = Math.max(...ends('SUCCESS'));
  return ends('FAILED').filter((end) => end > last).length;
}

describe('attention', () => {
  const plugin = startPlugin();
  const service = startService({ frozen, tasksTotal: 4_000 });

  test('automations with failures in a row are listed, from the history of 30 days', async () => {
    const [answer] = await plugin.askAll(dataSourceFor(service.url), [query], range);
    const [labels, why] = ['activityLabel', 'why'].map((name) => valuesOf(frameOf(answer), name) as string[]);
    const rows = (await readAll(service.url, 'tasks')) as unknown as TaskRow[];
    const automations = [...groups(rows, ({ activityLabel }) => activityLabel)];
    const failing = automations.filter(([, tasks]) => tasks.length >= 10 && failures(tasks) >= 2);
    assert.ok(failing.length > 0, 'none fails');
    for (const [label, tasks] of failing) {
      assert.match(
        why[labels.indexOf(String(label))],
        new RegExp(`\\b${failures(tasks)} failures in a row|no success`)
      );
    }
  });

  test('a rule has the severities of the same automations', async () => {
    const source = dataSourceFor(service.url);
    const [panel] = await plugin.askAll(source, [query], range);
    const [rule] = await plugin.askAll(source, [query], range, { FromAlert: 'true' });
    const { schema, data } = frameOf(rule);
    assert.ok(schema.fields.length > 1);
    assert.equal(schema.meta?.type, 'numeric-wide');
    const named = (name: string) => valuesOf(frameOf(panel), name) as unknown[];
    assert.deepEqual(
      schema.fields.map(({ name, labels }, index) => [name, labels, data.values[index][0]]),
      named('severity').map((severity, row) => [
        'severity',
        { activityLabel: named('activityLabel')[row], reason: named('reason')[row] },
        severity,
      ])
    );
  });
});
