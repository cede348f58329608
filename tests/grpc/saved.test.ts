import { once } from 'lodash';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import {
  isRecorded,
  panelsOf,
  readDashboards,
  readRecordingRules,
  readRuleGroups,
  readTeams,
  type RuleGroup,
} from '../dashboards/support/files';
import { blocks } from '../docs/support/markdown';
import { pages } from '../docs/support/pages';
import { dataSourceFor, frameOf, startPlugin } from './support/plugin';
import { queryFaults } from './support/saved';
import { startService } from './support/service';

const plugin = startPlugin();

type Query = Record<string, unknown>;

/** A query with values instead of dashboard variables, which the frontend replaces. */
function resolved(query: Query): Query {
  const values: Record<string, string> = { compare: 'week', per: 'day', '${by}': 'repositoryLabel' };
  return JSON.parse(JSON.stringify(query), (key, value) =>
    typeof value === 'string' && value.includes('$') ? (values[key] ?? values[value] ?? '1') : value
  );
}

const ofDashboards = [...readDashboards()].flatMap(([file, dashboard]) =>
  panelsOf(dashboard)
    .filter((panel) => !isRecorded(panel))
    .map(({ title, targets = [] }): [string, Query[]] => [`${file}: ${title}`, targets])
);

const ofPages = pages.flatMap(({ file, text }) =>
  blocks(text).map(({ language, code }, index): [string, Query[]] => [
    `${file}, block ${index + 1}`,
    language === 'json' ? [JSON.parse(code)] : language === 'yaml' ? modelsIn(code) : [],
  ])
);

/** The queries of rules in a provisioning file. */
function modelsIn(yaml: string): Query[] {
  const { groups = [] } = (parse(yaml) ?? {}) as { groups?: RuleGroup[] };
  const asked = groups.flatMap(({ rules }) => rules).flatMap(({ data }) => data);
  return asked.filter(({ datasourceUid }) => datasourceUid !== '__expr__').map(({ model }) => model);
}

describe('the backend accepts every saved query of the dashboards and of the documentation', () => {
  const service = startService({ tasksPerDay: 50, historyDays: 400 });
  // One for all queries: its rows are read once.
  const source = once(() => dataSourceFor(service.url));

  for (const [where, queries] of [...ofDashboards, ...ofPages].filter((found) => found[1].length > 0)) {
    test(where, async () => {
      assert.deepEqual(queries.flatMap(queryFaults), [], 'the schema describes it');
      const results = await plugin.askAll(source(), queries.map(resolved));
      assert.deepEqual(
        results.flatMap(({ error }) => error ?? []),
        []
      );
    });
  }
});

const groups = [...[...readRuleGroups().values()].flat(), readRecordingRules()];
const rules = groups.flatMap((group) => group.rules);

describe('the provisioned rules', () => {
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
