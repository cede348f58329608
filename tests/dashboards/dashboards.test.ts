import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';

import { bundled, dictionaries } from '../../dashboards';
import type { Panel } from '../../dashboards/parts';
import { earlier } from '../../dashboards/shared';
import { translated } from '../../dashboards/translate';
import { findDataSet } from '../../schema/datasets';
import { comparisons } from '../../src/query/query';
import { confusable, unreadable } from './support/colors';
import { answeredFields, linksOf, madeFields, namedFields, operands, overridesOf, valuesOf } from './support/fields';
import {
  isRecorded,
  panelsOf,
  readDashboards,
  readIncludes,
  readRecordingRules,
  variablesIn,
  type Query,
} from './support/files';

const PLUGIN = 'insights-reporting-datasource';
const dashboards = readDashboards();

// Grafana's tab of dashboards imports with the name of the data source in the place of its UID, which no public dashboard finds.
test('plugin.json offers every dashboard once under its title, but those for a data source of their own', () => {
  assert.deepEqual(
    readIncludes().map(({ type, name, path }) => [type, name, path]),
    [...dashboards]
      .filter(([, one]) => !one.__inputs)
      .map(([file, { title }]) => ['dashboard', title, `dashboards/${file}`])
  );
});

test('no two dashboards share a uid or a title', () => {
  for (const key of ['uid', 'title'] as const) {
    const values = Object.values(bundled).flatMap((dashboard) => dashboard[key] || []);
    assert.equal(new Set(values).size, values.length, `${key}: ${values}`);
  }
});

test('a comparison is found by its name in every language', () => {
  const words: Record<string, { before: Record<string, string> }> = JSON.parse(
    readFileSync('schema/words.json', 'utf8')
  );
  const [, pattern] = /^\/(.*)\/$/.exec(earlier({}).matcher.options as string)!;
  for (const { before } of Object.values(words)) {
    assert.deepEqual(Object.keys(before), [...comparisons]);
    assert.deepEqual(
      Object.values(before).filter((text) => !new RegExp(pattern).test(`Tasks (${text})`)),
      []
    );
  }
});

for (const [language, dictionary] of Object.entries(dictionaries)) {
  describe(language, () => {
    test('translates the texts of the dashboards, and no others', () => {
      const texts = new Set<string>();
      const recording = new Proxy({}, { get: (_, text: string) => texts.add(text) && text });
      dashboards.forEach((dashboard) => translated(dashboard, language, recording));
      assert.deepEqual(Object.keys(dictionary).sort(), [...texts].sort());
    });

    test('leaves no text in English, and keeps its variables', () => {
      const variables = (text: string) => [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
      const words = Object.entries(dictionary);
      assert.deepEqual(
        words
          .filter(
            ([english, text]) =>
              english === text && !/^(Insights|Robots|Runners?|ROI|FTE|Prometheus|Workspaces?)$/.test(text)
          )
          .flat(),
        []
      );
      for (const [english, text] of words) {
        assert.deepEqual(variables(text), variables(english), text);
      }
    });

    test('links to the dashboards of the same language', () => {
      const own = [...readDashboards(language).values()];
      for (const dashboard of own) {
        for (const { url } of panelsOf(dashboard).flatMap(linksOf)) {
          const [, uid] = /^\/d\/([\w-]+)\?/.exec(url) ?? [];
          assert.ok(
            own.some((one) => one.uid === uid),
            url
          );
        }
        assert.ok(dashboard.links.every(({ tags }) => tags.length === 0 || tags[0] === dashboard.tags[0]));
        assert.notDeepEqual(dashboard.tags, ['insights']);
      }
    });
  });
}

test('a selected runner leaves the queue as it is: no task has a runner before it starts', () => {
  const panels = [...dashboards.values()].flatMap(panelsOf);
  const queued = panels.filter(({ targets = [] }) =>
    targets.some(
      ({ measure, measures, columns }) => /queued\b/i.test(`${measure} ${measures}`) || `${columns}` === 'queueTime'
    )
  );
  assert.ok(queued.length >= 3);
  for (const { title, targets } of queued) {
    assert.doesNotMatch(JSON.stringify(targets), /\$\{machine\b/, title);
  }
});

test('there are few panels, and a number is asked for once, with the others of its table, and computed by the backend', () => {
  const panels = [...dashboards.values()].flatMap(panelsOf);
  const count = (part: 'targets' | 'transformations') => panels.reduce((sum, one) => sum + (one[part]?.length ?? 0), 0);
  assert.ok(panels.length <= 55, `${panels.length} panels`);
  assert.ok(count('targets') <= 80, `${count('targets')} queries`);
  assert.ok(count('transformations') <= 65, `${count('transformations')} transformations`);
});

test('a time range is kept where it has a meaning: totals of whole days open with their own', () => {
  const { tags, links } = dashboards.get('business-value.json')!;
  const today = dashboards.get('today.json')!;
  const leads = (from: { tags: string[] }) => from.tags.every((tag) => today.tags.includes(tag));
  assert.deepEqual(
    links.map((link) => [leads(link), link.keepTime]),
    [[true, false]]
  );
  const [others, value] = today.links;
  assert.ok(others.keepTime && leads(others) && !others.tags.every((tag) => tags.includes(tag)));
  assert.deepEqual([value.url, value.keepTime, value.includeVars], ['/d/insights-business-value', false, true]);
});

test('the history shows all that the recording rules write, by the labels that they have', () => {
  const { rules } = readRecordingRules();
  const labels = new Map(rules.map(({ record, data }) => [record?.metric, data[0].model.groupBy as string[]]));
  const expressions = JSON.stringify(dashboards.get('history.json'));
  const selected = [...expressions.matchAll(/(insights_\w+)(?:\{(.*?)\})?/g)];
  assert.deepEqual(new Set(selected.map(([, metric]) => metric)), new Set(labels.keys()));
  for (const [text, metric, selection = ''] of selected) {
    const unknown = [...selection.matchAll(/(\w+)=~/g)].filter(([, label]) => !labels.get(metric)?.includes(label));
    assert.deepEqual(unknown, [], text);
  }
});

for (const [file, dashboard] of dashboards) {
  const panels = panelsOf(dashboard);
  const variables = dashboard.templating.list;

  describe(file, () => {
    test('has the classic schema, which every supported Grafana accepts, and can be provisioned unchanged', () => {
      assert.equal(dashboard.id, null);
      // Importing one from a file several times makes several.
      assert.match(dashboard.uid, dashboard.__inputs ? /^$/ : /^insights-[a-z-]+$/);
      assert.equal(dashboard.schemaVersion, 42);
    });

    test('only queries the data source of its variable, or of its import', () => {
      const [{ name, ...source }, ...others] =
        dashboard.__inputs ?? variables.filter(({ type }) => type === 'datasource');
      const asks = panels.some(isRecorded) ? 'prometheus' : PLUGIN;
      assert.deepEqual([source.query ?? source.pluginId, others], [asks, []]);
      const [asked, more] = [valuesOf(dashboard, 'datasource'), valuesOf(panels, 'datasource')];
      for (const datasource of [...asked, ...more].filter((one) => !isMixed(one))) {
        assert.deepEqual(datasource, { type: asks, uid: `\${${String(name)}}` });
      }
      assert.ok(panels.every(({ targets }) => targets?.every((target) => 'datasource' in target)));
      // Grafana sends a query to each value of the variable only if it is one of a mixed panel.
      assert.ok(panels.every((panel) => isMixed(panel.datasource) === (name === 'workspaces')));
      // Data sources in different languages have different units, each of which would have an axis of its own.
      const lines = panels.filter(({ type, datasource }) => type === 'timeseries' && isMixed(datasource));
      const hasUnit = (panel: Panel) =>
        overridesOf(panel, 'byType').some(({ properties }) => properties.some(({ id }) => id === 'unit'));
      assert.deepEqual(
        lines.filter((panel) => !hasUnit(panel)).map(({ title }) => title),
        []
      );
    });

    test('has no variable if it is for everybody: public dashboards know none', () => {
      assert.equal(variables.length === 0, dashboard.__inputs !== undefined);
    });

    test('uses the variables that it has', () => {
      const names = [...(dashboard.__inputs ?? []), ...variables].map(({ name }) => name);
      assert.deepEqual(
        [...new Set(variablesIn(dashboard))].filter((name) => !names.includes(name)),
        []
      );
      const own = variables.filter(({ type, query }) => type === 'query' && 'queryType' in (query as Query));
      for (const { name, query } of own) {
        const { queryType, field } = query as Query;
        const fields = findDataSet(String(queryType))?.fields.map((candidate) => candidate.name);
        assert.ok(fields?.includes(String(field)), `${name}: ${queryType} has no ${field}`);
      }
    });

    test('gives every panel an ID, a position, a title, and a description', () => {
      const ids = [...dashboard.panels, ...panels].map(({ id }) => id);
      assert.equal(new Set(ids).size, new Set([...dashboard.panels, ...panels]).size, `${ids}`);
      assert.deepEqual(misplaced(dashboard.panels), []);
      const titles = panels.map(({ title }) => title);
      assert.equal(new Set(titles).size, titles.length, `${titles}`);
      assert.ok(titles.every(Boolean) && panels.every(({ description }) => description));
      const words = (text = '') => text.split(/\s+/).length;
      assert.deepEqual(
        panels.filter(({ description }) => words(description) > 25).map(({ title }) => title),
        []
      );
    });

    // Grafana shows the same text for an empty result and for an error, with the mappings and colors of the defaults.
    test('states no fact if there is no result', () => {
      for (const { title, fieldConfig } of panels) {
        const { noValue, mappings, thresholds } = fieldConfig?.defaults ?? {};
        assert.match(String(noValue), /^(No result|–)$|^(No|.+: no) answer$/, title);
        assert.deepEqual([mappings, thresholds], [undefined, undefined], title);
      }
    });

    // Without a value, a single number has no field, so its mappings don't apply.
    test('says what a missing value means only where there is a field without one', () => {
      const saysSo = panels.filter(({ type, fieldConfig, targets = [] }) => {
        const numbers = fieldConfig?.overrides?.filter(({ matcher }) => matcher.id === 'byType') ?? [];
        const mapped = numbers.some(({ properties }) => JSON.stringify(properties).includes('null+nan'));
        return type === 'stat' && mapped && targets.every(({ format, groupBy }) => format === 'numeric' && !groupBy);
      });
      assert.deepEqual(
        saysSo.map(({ title }) => title),
        []
      );
    });

    test('links each number to its rows, and keeps the time range and all that is selected', () => {
      // Whoever sees a public dashboard has no other.
      for (const panel of panels.filter(({ type }) => !dashboard.__inputs && ['stat', 'bargauge'].includes(type))) {
        assert.ok(linksOf(panel).length > 0, panel.title);
      }
      const selectable = ['datasource', 'automation', 'repository', 'machine', 'compare', 'Filters'];
      const shared = selectable.filter((name) => name === 'datasource' || variables.some((one) => one.name === name));
      for (const link of panels.flatMap(linksOf)) {
        const [, uid, panelId] = /^\/d\/([\w-]+)\?(?:viewPanel=panel-(\d+)&)?/.exec(link.url) ?? [];
        const target = [...dashboards.values()].find((candidate) => candidate.uid === uid);
        assert.ok(
          target && (!panelId || panelsOf(target).some(({ id, type }) => `${id}` === panelId && type === 'table'))
        );
        // What needs attention has a time range of its own, as has what waits or runs now.
        assert.match(link.url, /&(\$\{(__url_time_range|__data\.fields\.tasks:raw)\}|from=now-\d+d&to=now)$/);
        const lost = shared.filter(
          (name) => !link.url.includes(`\${${name}:queryparam}`) && !new RegExp(`var-${name}[=}]`).test(link.url)
        );
        assert.deepEqual(lost, [], link.url);
        assert.doesNotMatch(decodeURIComponent(link.url), /\|(&|$)/, 'Grafana drops a condition without a value');
        assert.ok(!('targetBlank' in link), link.url);
        assert.ok(
          uid !== 'insights-tasks' || /var-outcome=|fields\.tasks:raw/.test(link.url),
          'Grafana keeps the last outcome'
        );
      }
    });

    test('offers no filter in cells that are links: its buttons would cover them', () => {
      for (const { title, fieldConfig } of panels.filter(({ type }) => type === 'table')) {
        for (const { matcher, properties } of fieldConfig!.overrides) {
          if (properties.some(({ id }) => id === 'links')) {
            assert.ok(
              properties.some(({ id, value }) => id === 'filterable' && value === false),
              `${title}: ${matcher.options}`
            );
          }
        }
      }
    });

    test('has labels at the axis of shares: without decimals, Grafana leaves out those that are not whole', () => {
      const shares = panels
        .filter(({ type }) => type === 'timeseries')
        .flatMap((panel) => overridesOf(panel, 'byType').map(({ properties }) => JSON.stringify(properties)));
      assert.deepEqual(
        shares.filter((properties) => /percentunit.*"decimals","value":0/.test(properties)),
        []
      );
    });

    test('has readable texts in both themes, and colors that stand alone can be told apart without seeing green', () => {
      assert.deepEqual([...panels.flatMap(unreadable), ...panels.flatMap(confusable)], []);
    });

    for (const panel of panels) {
      test(`${panel.title}: its queries are valid, and it refers to fields in their results`, () => checkPanel(panel));
    }
  });
}

const isMixed = (datasource: unknown) => (datasource as { uid?: string } | undefined)?.uid === '-- Mixed --';

/** The panels that exceed the 24 columns of the grid, or overlap with one before. */
function misplaced(panels: Panel[]): Panel[] {
  return panels.filter(({ gridPos: a }, index) => {
    const overlaps = ({ gridPos: b }: Panel) =>
      a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
    return a.x + a.w > 24 || panels.slice(0, index).some(overlaps);
  });
}

function checkPanel(panel: Panel) {
  const { targets = [] } = panel;
  assert.ok(targets.length > 0, 'no query');
  const refIds = targets.map(({ refId }) => refId);
  assert.equal(new Set(refIds).size, refIds.length, `refIds: ${refIds}`);
  // What Grafana merges of a single answer, which others without fields leave, has a refId that names both.
  const asked = overridesOf(panel, 'byFrameRefID').map(({ matcher }) => String(matcher.options).replace(/^merge-/, ''));
  assert.deepEqual(
    asked.filter((refId) => !refIds.includes(refId)),
    []
  );
  const made = madeFields(panel);
  const fields = [...targets.flatMap(answeredFields), ...made];
  assert.deepEqual(
    namedFields(panel).filter((name) => !fields.includes(name)),
    []
  );
  // Displayed names follow the data source's setting Names: calculations can't know them, and panels don't change them.
  assert.deepEqual(
    operands(panel).filter((name) => !made.includes(name)),
    []
  );
  if (isRecorded(panel)) {
    return; // The setting Names has no effect on Prometheus.
  }
  // Those of several data sources may be in several languages. What a comparison says depends on what it compares with, and
  // a Stat has room for short names only.
  const renamed = overridesOf(panel, 'byName').filter(({ properties }) =>
    properties.some(({ id, value }) => id === 'displayName' && /\p{L}/u.test(String(value)))
  );
  assert.deepEqual(
    renamed
      .map(({ matcher }) => String(matcher.options))
      .filter((name) => panel.type !== 'stat' && !name.includes('.'))
      .filter((name) => !made.includes(name) && !isMixed(panel.datasource)),
    []
  );
}
