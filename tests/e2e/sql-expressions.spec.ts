import { type Page } from '@playwright/test';

import { type QueryParts } from '../../src/query/query';
import { dashboard, panel, sourceRef } from './support/dashboard';
import { column, type Frame } from './support/query';
import { expect, test } from './support/test';

// docs/recipes.md has the same queries.
const failures = (more: number): QueryParts => ({
  days: 30,
  columns: ['activityLabel', 'failedItems'],
  filters: [{ key: 'failedItems', operator: '>', value: String(more) }],
});
const savings: QueryParts = {
  queryType: 'automations',
  days: 30,
  columns: ['label', 'name', 'savings', 'sumItemsProcessed'],
};
const lost = `
  SELECT B.name AS automation, SUM(A.failedItems) AS failed, SUM(A.failedItems) * B.savings / B.sumItemsProcessed AS lost
  FROM A JOIN B ON B.label = A.activityLabel
  GROUP BY B.label, B.name, B.savings, B.sumItemsProcessed
  ORDER BY lost DESC`;

/** The targets of queries and of the SQL expression C over them. */
function targets(source: string, queries: QueryParts[], expression: string) {
  const asked = queries.map((query, index) => ({
    refId: 'AB'[index],
    hide: true,
    datasource: sourceRef(source),
    ...query,
  }));
  return [...asked, { refId: 'C', datasource: { type: '__expr__', uid: '__expr__' }, type: 'sql', expression }];
}

test.beforeEach(async ({ page }, testInfo) => {
  const { featureToggles } = await (await page.request.get('/api/frontend/settings')).json();
  testInfo.skip(!featureToggles.sqlExpressions, 'the feature toggle sqlExpressions is off');
});

/** The result of an SQL expression, as that of an alert rule or a script. */
async function resultOf(page: Page, source: string, queries: QueryParts[], expression: string): Promise<Frame> {
  const data = { from: 'now-7d', to: 'now', queries: targets(source, queries, expression) };
  const response = await page.request.post('/api/ds/query', { data });
  expect(response.status(), await response.text()).toBe(200);
  return (await response.json()).results.C.frames[0];
}

test('SQL joins two queries in a panel', async ({ simulator, createSource, createDashboard, page }) => {
  await simulator.freeze();
  const { uid: source } = await createSource();
  const result = await resultOf(page, source, [failures(0), savings], lost);
  const uid = await createDashboard(
    dashboard([
      {
        ...panel(source, {}),
        targets: targets(source, [failures(0), savings], lost) as never,
        gridPos: { x: 0, y: 0, w: 24, h: 20 },
      },
    ])
  );
  await page.goto(`/d/${uid}`);
  const [first] = column(result, 'automation');
  expect(first).toBeTruthy();
  await expect(page.getByRole('gridcell', { name: String(first) })).toBeVisible({ timeout: 60_000 });
});

test('SQL joins a query without rows, and numbers without groups', async ({ provisioned: { uid }, page }) => {
  const nothing = await resultOf(page, uid, [failures(1e9), savings], lost);
  expect(nothing.data.values).toEqual([[], [], []]);
  const count = (measure: string): QueryParts => ({ days: 30, format: 'numeric', measure });
  const share = 'SELECT A.__value__ / B.__value__ AS share FROM A CROSS JOIN B';
  const [value] = column(await resultOf(page, uid, [count('failedTasks'), count('tasks')], share), 'share');
  expect(value).toBeGreaterThan(0);
  expect(value).toBeLessThan(1);
});
