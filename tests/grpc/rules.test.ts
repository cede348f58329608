import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { once } from 'lodash';
import { readRecordingRules, readRuleGroups, readTeams } from '../dashboards/support/files';
import { dataSourceFor, frameOf, startPlugin } from './support/plugin';
import { queryFaults } from './support/saved';
import { startService } from './support/service';

const groups = [...[...readRuleGroups().values()].flat(), readRecordingRules()];
const rules = groups.flatMap((group) => group.rules);

describe('the provisioned rules', () => {
  const plugin = startPlugin();
  // A live world: rules ask for what is so now.
  const service = startService({ frozen: undefined, tasksPerDay: 400 });
  const source = once(() => dataSourceFor(service.url));

  test('a rule by team has its label, and the settings of the example are valid', async () => {
    const { jsonData } = readTeams();
    const model = { format: 'numeric', measure: 'tasks', groupBy: ['activityLabel', 'team'], days: 7 };
    const range = { from: Date.now() - 7 * 86_400_000, to: Date.now() };
    const teamSource = dataSourceFor(service.url, { ...jsonData, login: 'demo' });
    const [result] = await plugin.askAll(teamSource, [model], range, { FromAlert: 'true' });
    const teams = Object.fromEntries(
      frameOf(result).schema.fields.map(({ labels }) => [labels!.activityLabel, labels!.team])
    );
    const expected = { 'folha-de-ponto': 'HR', 'boletos-emissao': 'Finance', 'bank-reconciliation': 'Operations' };
    assert.deepEqual({ ...teams, ...expected }, teams);
    const [due] = await plugin.askAll(teamSource, [{ format: 'deadlines' }], range);
    assert.equal(due.error, undefined);
  });

  for (const { title, data, noDataState, record } of rules) {
    test(title, async () => {
      for (const { relativeTimeRange, model } of data.filter((one) => one.datasourceUid === 'insights')) {
        const now = Date.now();
        const range = { from: now - relativeTimeRange.from * 1000, to: now - relativeTimeRange.to * 1000 };
        assert.deepEqual(queryFaults(model), []);
        const [result] = await plugin.askAll(source(), [model], range, { FromAlert: 'true' });
        const frame = frameOf(result);
        const { schema } = frame;
        assert.equal(schema.meta?.type, 'numeric-wide');
        const attention = model.format === 'attention';
        const expected = [...((model.groupBy ?? []) as string[]), ...(attention ? ['reason'] : [])];
        const [value] = frame.data.values[0] ?? [];
        for (const { name, type, labels } of schema.fields) {
          assert.deepEqual([name, type], [attention ? 'severity' : model.measure, 'number']);
          // Nothing to say is a single 0.
          assert.deepEqual(Object.keys(labels ?? {}).sort(), attention && value === 0 ? [] : expected.sort());
        }
        // A rule for which no data is normal is about tasks that may not exist, such as those in the queue.
        assert.ok(noDataState === 'OK' || record?.metric.endsWith('_queued') || schema.fields.length > 0, 'no number');
      }
    });
  }
});
