import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { findDataSet, findNamed, getDataSet } from '../../schema/datasets';
import { answeredFields, misplaced, problemsOf } from './support/contract';
import { unreadable } from './support/colors';
import {
  displayNames,
  linksOf,
  madeFields,
  namedFields,
  namedQueries,
  overridePatterns,
  sortedColumns,
  valuesOf,
} from './support/fields';
import { readDashboards, readIncludes, readText, variablesIn } from './support/files';
import type { Panel, Query } from './support/types';

const PLUGIN = 'insights-reporting-datasource';
const dashboards = readDashboards();

test('there are four dashboards', () => {
  assert.deepEqual([...dashboards.keys()].sort(), [
    'automations.json',
    'business-value.json',
    'runners.json',
    'today.json',
  ]);
});

test('plugin.json offers every dashboard under its title', () => {
  assert.deepEqual(
    readIncludes()
      .map(({ type, name, path }) => [type, name, path])
      .sort(),
    [...dashboards].map(([file, { title }]) => ['dashboard', title, `dashboards/${file}`]).sort()
  );
});

test('a selected runner leaves the queue as it is: no task has a runner before it starts', () => {
  const panels = [...dashboards.values()].flatMap((dashboard) => dashboard.panels);
  const queued = panels.filter(({ targets }) => JSON.stringify(targets ?? []).includes('"value":"START"'));
  assert.ok(queued.length > 0);
  for (const { title, targets, fieldConfig } of queued) {
    assert.doesNotMatch(JSON.stringify([targets, fieldConfig]), /\$\{machine\b/, title);
  }
});

test('no two dashboards share a uid or a title', () => {
  for (const key of ['uid', 'title'] as const) {
    const values = [...dashboards.values()].map((dashboard) => dashboard[key]);
    assert.equal(new Set(values).size, values.length, `${key}: ${values}`);
  }
});

for (const [file, dashboard] of dashboards) {
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');

  describe(file, () => {
    test('can be provisioned and imported unchanged', () => {
      assert.equal(dashboard.id, null);
      assert.match(dashboard.uid, /^insights-[a-z-]+$/);
      assert.equal(dashboard.schemaVersion, 42);
      assert.doesNotMatch(readText('src', 'dashboards', file), /__inputs|__requires|\$\{DS_/);
    });

    test('can be found by its tag, and links to the others by it', () => {
      assert.deepEqual(dashboard.tags, ['insights']);
      assert.deepEqual(
        dashboard.links.map(({ type, tags }) => [type, tags]),
        [['dashboards', ['insights']]]
      );
    });

    test('only queries the data source of its variable', () => {
      const variable = dashboard.templating.list.find(({ type }) => type === 'datasource');
      assert.equal(variable?.name, 'datasource');
      assert.equal(variable?.query, PLUGIN);
      for (const datasource of valuesOf(dashboard, 'datasource')) {
        assert.deepEqual(datasource, { type: PLUGIN, uid: '${datasource}' });
      }
      for (const panel of panels) {
        assert.ok(
          panel.targets?.every((target) => 'datasource' in target),
          panel.title
        );
      }
    });

    test('uses the variables that it has, and has no unused ones', () => {
      const names = dashboard.templating.list.map(({ name }) => name);
      // Grafana itself adds the conditions of this variable to every query.
      const adHoc = dashboard.templating.list.filter(({ type }) => type === 'adhoc').map(({ name }) => name);
      assert.deepEqual(adHoc, ['Filters']);
      assert.deepEqual(
        [...new Set(variablesIn(dashboard))].filter((name) => !names.includes(name)),
        []
      );
      const used = variablesIn(dashboard.panels.map(({ targets }) => targets));
      assert.deepEqual(
        names.filter((name) => !used.includes(name) && !adHoc.includes(name)),
        []
      );
    });

    test('its query variables use existing fields', () => {
      for (const { name, query } of dashboard.templating.list.filter(({ type }) => type === 'query')) {
        const { refId, queryType, field, days = 1, ...more } = query as Query;
        assert.deepEqual(more, {}, name);
        assert.ok(refId, name);
        assert.ok(Number.isInteger(days), name);
        const fields = findDataSet(String(queryType))?.fields.map((candidate) => candidate.name);
        assert.ok(fields?.includes(String(field)), `${name}: ${queryType} has no ${field}`);
      }
    });

    test('gives every panel an ID, a position, a title, a description, and a message for no data', () => {
      const ids = dashboard.panels.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length, `${ids}`);
      assert.deepEqual(misplaced(dashboard.panels), []);
      const titles = panels.map(({ title }) => title);
      assert.equal(new Set(titles).size, titles.length, `${titles}`);
      for (const { title, description, fieldConfig } of panels) {
        assert.ok(title, 'title');
        assert.ok(description, `${title}: description`);
        assert.ok(fieldConfig?.defaults?.noValue, `${title}: noValue`);
      }
    });

    // Grafana shows the same text for an empty result and for an error.
    test('states no fact if there is no result', () => {
      const words = panels.map(({ fieldConfig }) => String(fieldConfig?.defaults?.noValue));
      assert.deepEqual(
        words.filter((text) => !/^No (answer|rate)$|, or no answer$|means that there is no answer\.$/.test(text)),
        []
      );
      const facts = panels.flatMap(({ title, fieldConfig }) =>
        ['mappings', 'thresholds'].flatMap((name) => (name in (fieldConfig?.defaults ?? {}) ? `${title}: ${name}` : []))
      );
      assert.deepEqual(
        facts,
        ['Occupancy over time: thresholds'].filter(() => file === 'runners.json')
      );
    });

    test('links each number to its rows', () => {
      for (const panel of panels.filter(({ type }) => type === 'stat' || type === 'bargauge')) {
        assert.ok(linksOf(panel).length > 0, panel.title);
      }
      for (const { title, url } of panels.flatMap(linksOf)) {
        const [, uid, panelId] = /^\/d\/([\w-]+)\?(?:viewPanel=panel-(\d+)&)?/.exec(url) ?? [];
        const target = [...dashboards.values()].find((candidate) => candidate.uid === uid);
        assert.ok(target, `${title}: ${url}`);
        assert.ok(!panelId || target.panels.some(({ id, type }) => `${id}` === panelId && type === 'table'), url);
      }
    });

    test('has readable texts and numbers in both themes', () => {
      assert.deepEqual(panels.flatMap(unreadable), []);
    });

    // Transformations and regular expressions refer to displayed names, which depend on the data source's setting names.
    test('its transformations and overrides find fields in every language of names', () => {
      for (const panel of panels) {
        for (const [, names] of overridePatterns(panel).flatMap((pattern) => [
          ...pattern.matchAll(/^\/\^\((.*)\)\/$/g),
        ])) {
          const renamed = Object.fromEntries(names.split('|').map((name) => [name, 'found']));
          assert.deepEqual(missingNames(panel, renamed), [], panel.title);
        }
        for (const renamed of valuesOf(panel.transformations, 'renameByName') as Array<Record<string, string>>) {
          assert.deepEqual(missingNames(panel, renamed), [], panel.title);
        }
        for (const { options } of (panel.transformations ?? []).filter(({ id }) => id === 'groupingToMatrix')) {
          assert.deepEqual(Object.keys(options as object), ['columnField', 'rowField', 'valueField', 'emptyValue']);
          // It would give its columns the displayed name of a field of the data source.
          assert.ok(valuesOf(panel.transformations, 'alias').includes(valuesOf(options, 'valueField')[0]), panel.title);
        }
        const keys = ['byField', 'rowField', 'columnField', 'valueField'];
        const used = keys.flatMap((key) => valuesOf(panel.transformations, key)).map(String);
        assert.deepEqual(
          used.filter((name) => !madeFields(panel).includes(name)),
          [],
          panel.title
        );
      }
    });

    for (const panel of panels) {
      test(`${panel.title}: its queries are valid, and it refers to fields in their results`, () => checkPanel(panel));
    }
  });
}

/** The labels of fields that are found by their names in the API, but not by these labels. */
function missingNames({ targets = [] }: Panel, renamed: Record<string, string>): string[] {
  const fields = targets.flatMap((target) =>
    answeredFields(target).flatMap((name) => findNamed(getDataSet(String(target.queryType)), name) ?? [])
  );
  return fields.flatMap(({ name, label, labels }) => {
    const target = renamed[name];
    const others = [label, ...Object.values(labels)].filter((other) => other !== target);
    return target ? others.filter((other) => renamed[other] !== target) : [];
  });
}

function checkPanel(panel: Panel) {
  const targets = panel.targets ?? [];
  assert.ok(targets.length > 0, 'no query');
  for (const target of targets) {
    assert.deepEqual(problemsOf(target), []);
  }
  const refIds = targets.map(({ refId }) => String(refId));
  assert.equal(new Set(refIds).size, refIds.length, `refIds: ${refIds}`);
  assert.deepEqual(
    namedQueries(panel).filter((refId) => !refIds.includes(refId)),
    []
  );
  const fields = [...targets.flatMap(answeredFields), ...madeFields(panel)];
  assert.deepEqual(
    namedFields(panel).filter((name) => !fields.includes(name)),
    []
  );
  assert.deepEqual(
    sortedColumns(panel).filter((name) => !displayNames(panel).includes(name)),
    []
  );
}
