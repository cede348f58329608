import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { once } from 'lodash';
import { parse } from 'yaml';
import { isRecorded, panelsOf, readDashboards } from '../dashboards/support/files';
import type { RuleGroup } from '../dashboards/support/types';
import { blocks } from '../docs/support/markdown';
import { pages } from '../docs/support/pages';
import { dataSourceFor, startPlugin } from './support/plugin';
import { queryFaults } from './support/saved';
import { startService } from './support/service';

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
  const plugin = startPlugin();
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
