import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import {
  panelsOf,
  readDashboards,
  readRecordingRules,
  readRuleGroups,
  readTeams,
  readText,
  variablesIn,
  type Rule,
} from './support/files';

const DATA_SOURCE = 'insights';
const EXPRESSION = '__expr__';
const DAY = 86_400;
const files = readRuleGroups();
const rules = [...files.values()].flat().flatMap((group) => group.rules);

test('the data source of the rules is provisioned', () => {
  assert.match(readText('provisioning', 'datasources', 'insights.yaml'), /^ +uid: insights$/m);
});

test('no two files share a group: Grafana reads the rules of a group from one file', () => {
  const names = [...files.values()].flat().map(({ name }) => name);
  assert.equal(new Set(names).size, names.length, `${names}`);
});

test('no two rules share a uid or a title', () => {
  for (const key of ['uid', 'title'] as const) {
    const values = rules.map((rule) => rule[key]);
    assert.equal(new Set(values).size, values.length, `${key}: ${values}`);
  }
});

for (const [file, groups] of files) {
  for (const group of groups) {
    describe(`${file}, group ${group.name}`, () => {
      test('is in the folder of the dashboards', () => assert.equal(group.folder, 'Insights'));

      for (const rule of group.rules) {
        describe(rule.title, () => {
          test('sends valid queries, without variables', () => checkQueries(rule));
          test('compares the result of a query', () => checkCondition(rule));
          test('defines its pending period, and what no data and an error mean', () => checkStates(rule));
          test('says what happened, in texts that Grafana can fill in', () => checkTexts(rule));
          test('leads to a panel that exists', () => checkLink(rule));
          test('says which automation it is about, and selects it', () => checkAutomation(rule));
        });
      }
    });
  }
}

describe('recording rules', () => {
  const { folder, rules } = readRecordingRules();

  test('write to the Prometheus that is provisioned beside them', () => {
    const targets = new Set(rules.map(({ record }) => record?.targetDatasourceUid));
    assert.equal(folder, 'Insights');
    assert.deepEqual([...targets], ['prometheus']);
    assert.match(readText('provisioning', 'history', 'datasources.yaml'), /^ +uid: prometheus$/m);
  });

  for (const rule of rules) {
    test(`${rule.title}: its queries are valid, and a null does not stop the other numbers`, () => {
      const last = rule.data.at(-1)!;
      assert.equal(rule.record?.from, last.refId);
      assert.equal(rule.data[0].model.measure === 'tasks', last.refId === 'A', 'only a count is never null');
      assert.ok(last.refId === 'A' || (last.model.settings as { mode: string }).mode === 'dropNN');
      checkQueries(rule);
    });
  }
});

test('policies route by a label that a rule has to contact points that exist, for teams of the settings', () => {
  const { contactPoints, policies, jsonData } = readTeams();
  const [{ receiver, routes }] = policies;
  const grouped = rules.flatMap(({ data }) => data.flatMap(({ model }) => (model.groupBy ?? []) as string[]));
  const matched = routes.map(({ object_matchers }) => object_matchers[0]);
  assert.deepEqual(
    [receiver, ...routes.map((route) => route.receiver)].sort(),
    contactPoints.map(({ name }) => name).sort()
  );
  assert.ok(matched.every(([label, operator]) => grouped.includes(label) && operator === '='));
  assert.deepEqual(
    matched.map(([, , team]) => team).filter((team) => !jsonData.teams.some((line) => line.team === team)),
    []
  );
  const terraform = readText('provisioning', 'terraform', 'insights.tf');
  assert.deepEqual(
    matched.filter(([, , team]) => !terraform.includes(`${team} `)),
    []
  );
});

function checkQueries({ data }: Rule) {
  const refIds = data.map(({ refId }) => refId);
  assert.equal(new Set(refIds).size, refIds.length, `refIds: ${refIds}`);
  for (const { refId, datasourceUid, relativeTimeRange, model } of data) {
    assert.ok([DATA_SOURCE, EXPRESSION].includes(datasourceUid), datasourceUid);
    assert.equal(model.refId, refId);
    assert.ok(relativeTimeRange.from > relativeTimeRange.to, `${refId}: the time range has no length`);
    if (datasourceUid === DATA_SOURCE) {
      assert.equal(relativeTimeRange.from, Number(model.days ?? relativeTimeRange.from / DAY) * DAY);
      assert.deepEqual(variablesIn(model), []);
      // A table has many numbers, and lines would need a Reduce expression.
      assert.ok(['numeric', 'attention'].includes(String(model.format)), `${model.format}`);
    }
  }
}

function checkCondition({ condition, data }: Rule) {
  const model = data.find(({ refId }) => refId === condition)?.model;
  assert.equal(model?.type, 'threshold');
  const compared = data.find(({ refId }) => refId === model?.expression);
  assert.ok(compared, `${model?.expression}`);
  if (compared.datasourceUid === EXPRESSION) {
    assert.equal(compared.model.type, 'math');
    const named = [...String(compared.model.expression).matchAll(/\$(\w+)/g)].map(([, refId]) => refId);
    const asked = data.filter(({ datasourceUid }) => datasourceUid === DATA_SOURCE).map(({ refId }) => refId);
    assert.deepEqual([...new Set(named)].sort(), asked);
  }
}

function checkStates(rule: Rule) {
  assert.match(rule.for ?? '', /^\d+[smh]$/);
  assert.ok(['NoData', 'Alerting', 'OK', 'KeepLast'].includes(rule.noDataState ?? ''), rule.noDataState);
  assert.ok(['Error', 'Alerting', 'OK', 'KeepLast'].includes(rule.execErrState ?? ''), rule.execErrState);
}

function checkTexts({ labels, annotations, data }: Rule) {
  assert.ok(labels?.severity);
  assert.ok(annotations?.summary);
  assert.ok(annotations?.description);
  const known = data.flatMap(({ model }) => [
    ...((model.groupBy ?? []) as string[]),
    ...(model.format === 'attention' ? ['reason'] : []),
  ]);
  const refIds = data.map(({ refId }) => refId);
  for (const text of [annotations.summary, annotations.description]) {
    for (const [, label] of text.matchAll(/\$labels\.(\w+)/g)) {
      assert.ok(known.includes(label), `no query has the label ${label}`);
    }
    const named = [...text.matchAll(/\$values\.(\w+)/g)].map(([, refId]) => refId);
    assert.deepEqual(
      named.filter((refId) => !refIds.includes(refId)),
      [],
      'queries that do not exist'
    );
    assert.ok(
      named.length === 0 || /^\{\{ if (not )?\$values \}\}/.test(text),
      `without values, this is wrong: ${text}`
    );
    // "1 tasks failed": a counted noun needs {{ if ne $values.A.Value 1.0 }}s{{ end }}.
    assert.doesNotMatch(text, /\$values\.\w+ \}\} \w+s\b/);
  }
}

/** Grafana makes the links of notifications from these annotations. The properties of a rule don't reach them. */
function checkLink({ annotations }: Rule) {
  const { __dashboardUid__: uid, __panelId__: panelId } = annotations ?? {};
  const dashboard = [...readDashboards().values()].find((one) => one.uid === uid);
  assert.ok(
    dashboard && panelsOf(dashboard).some(({ id }) => String(id) === panelId),
    `${uid} has no panel ${panelId}`
  );
}

/** Whatever a rule queries, its automation has one label, and the panel that it leads to shows only this one. */
function checkAutomation({ data, labels, annotations }: Rule) {
  const groupBy = data.flatMap(({ model }) => (model.groupBy ?? []) as string[]);
  const label = groupBy.find((name) => ['activityLabel', 'label'].includes(name));
  const { __dashboardUid__: uid, __panelId__: panelId, dashboard } = annotations ?? {};
  // Grafana replaces $labels in the labels of a file with an environment variable, but not in its annotations.
  assert.equal(labels?.automation, label && `{{ index .Labels "${label}" }}`);
  const selected = `{{ with index $labels "${label}" }}&var-automation={{ urlquery . }}{{ end }}`;
  assert.equal(dashboard, label && `{{ externalURL }}d/${uid}?viewPanel=${panelId}${selected}`);
  const { templating } = [...readDashboards().values()].find((one) => one.uid === uid)!;
  assert.ok(!label || templating.list.some(({ name }) => name === 'automation'), `${uid} has no such variable`);
}

test('the first task of a new automation is not reported as a lack of successes', () => {
  const { data, noDataState } = ruleOf('insights-no-success');
  // Without an end, the time since the last success is null, which is an alert.
  assert.equal(noDataState, 'Alerting');
  const filters = data[0].model.filters as Array<{ key: string; operator: string; values: string[] }>;
  const states = filters.filter(({ key, operator }) => key === 'state' && operator === '!=|');
  assert.deepEqual(
    states.flatMap(({ values }) => values),
    ['START', 'RUNNING']
  );
});

test('a volume is unusual only compared with that of a week ago', () => {
  const expression = String(
    ruleOf('insights-unusual-volume').data.find(({ refId }) => refId === 'C')?.model.expression
  );
  const fires = (now: number, before: number) => Boolean(new Function('$A', '$B', `return ${expression}`)(now, before));
  assert.equal(fires(100, 0), false, 'the first week of a workspace');
  assert.equal(fires(0, 100), true);
  assert.equal(fires(201, 100), true);
  assert.equal(fires(150, 100), false);
  assert.equal(fires(19, 5), false);
});

function ruleOf(uid: string): Rule {
  const rule = rules.find((one) => one.uid === uid);
  assert.ok(rule, uid);
  return rule;
}

test('an outage of the service is one alert, and resolves none', () => {
  const reporting = rules.filter(({ execErrState }) => execErrState !== 'KeepLast');
  assert.deepEqual(
    reporting.map(({ uid, execErrState }) => [uid, execErrState]),
    [['insights-service-unreadable', 'Alerting']]
  );
  const looksBack = rules.flatMap(({ data }) => data).map(({ relativeTimeRange }) => relativeTimeRange.from);
  assert.equal(
    reporting[0].data[0].relativeTimeRange.from,
    Math.max(...looksBack),
    'Max rows may be too low for a rule'
  );
});
