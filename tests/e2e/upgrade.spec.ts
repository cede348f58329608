import { readFileSync } from 'node:fs';
import path from 'node:path';

import { type QueryParts } from '../../src/query/query';
import { type InsightsJsonData } from '../../src/settings';
import { dashboard, type PanelModel, sourceRef } from './support/dashboard';
import { type Rule } from './support/grafana';
import { expect, test } from './support/test';

interface Saved {
  settings: InsightsJsonData;
  rule: Pick<Rule, 'condition' | 'data'>;
  /** The table of its dashboards that computes most. */
  panel: PanelModel;
  /** Queries of its dashboards that no present one has, with the names and types of the fields that it answered. */
  queries: Array<[QueryParts, string]>;
}

/** What a version of the plugin saved. Its dashboards and rules stay in databases and files that nobody rewrites. */
const saved: Saved = JSON.parse(readFileSync(path.join(__dirname, 'saved', '1.3.0.json'), 'utf8'));

test('queries, rules, and settings that 1.3.0 saved are answered as before', async ({ api, createSource, page }) => {
  test.setTimeout(300_000);
  const source = await createSource({ jsonData: saved.settings });
  for (const [query, answered] of saved.queries) {
    const { schema } = await api.query(source.uid, query);
    const fields = schema.fields.map(({ name, type }) => `${name}:${type}`);
    expect(fields, JSON.stringify(query)).toEqual(expect.arrayContaining(answered.split(' ')));
  }

  const data = saved.rule.data.map((query) =>
    query.datasourceUid === '__expr__' ? query : { ...query, datasourceUid: source.uid }
  );
  const results = await api.evaluate({ ...saved.rule, data } as Rule);
  expect(Object.values(results).flatMap(({ error }) => error ?? [])).toEqual([]);

  await page.goto(`/connections/datasources/edit/${source.uid}`);
  await page.getByRole('button', { name: 'Save & test' }).click();
  await expect(page.getByText(/Connected to organization/)).toBeVisible();
  expect((await api.source(source.uid)).jsonData).toMatchObject({ ...saved.settings });
});

test('a table that 1.3.0 saved shows its rows and columns', async ({ provisioned, openDashboard, page }) => {
  const text = JSON.stringify(saved.panel).replaceAll('${datasource}', provisioned.uid);
  const panel: PanelModel = JSON.parse(
    text.replaceAll('${compare}', 'week').replaceAll('${compare:text}', 'last week')
  );
  const own = { ...panel, datasource: sourceRef(provisioned.uid), gridPos: { x: 0, y: 0, w: 24, h: 20 } };
  for (const target of own.targets) {
    target.filters = target.filters?.filter((filter) => !JSON.stringify(filter).includes('${'));
  }
  await openDashboard(dashboard([own]));
  await expect(page.getByRole('columnheader').filter({ hasText: /^Automation/ })).toBeVisible({ timeout: 60_000 });
  await expect(
    page
      .getByRole('gridcell')
      .filter({ hasText: /^\d+(\.\d+)?%$/ })
      .first()
  ).toBeVisible();
  expect(await page.getByRole('row').count()).toBeGreaterThan(5);
});
