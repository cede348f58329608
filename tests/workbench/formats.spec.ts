import { expect, selectors, test } from './fixtures';

const { query } = selectors;

test.beforeEach(({ workbench }) => workbench.open('explore'));

test('Number: one row per group, with the measure', async ({ workbench }) => {
  await workbench.chooseDataSet('Automations');
  await workbench.showAs('Number');
  await workbench.choose(query.measure, 'successRate');
  await expect(workbench.column('Success rate')).toBeVisible();
  await expect(workbench.field('workbench-table')).toContainText('%');
  await expect(workbench.field('workbench-graph')).toBeHidden();
});

test('Line: a graph with its legend', async ({ workbench }) => {
  await workbench.showAs('Time series');
  await workbench.choose(query.groupBy, 'state');
  await workbench.page.keyboard.press('Escape');
  const graph = workbench.field('workbench-graph');
  await expect(graph.locator('canvas').first()).toBeVisible();
  await expect(graph).toContainText('FINISHED');
  await expect(workbench.column('FINISHED')).toBeVisible();
});

test('Line by calendar unit, next to the previous week', async ({ workbench }) => {
  await workbench.showAs('Time series');
  await workbench.choose(query.per, 'Day');
  await workbench.field(query.more).click();
  await workbench.choose(query.compare, 'Previous week');
  await expect(workbench.field('workbench-graph')).toContainText('Tasks (previous week)');
  await expect(workbench.column('Tasks (previous week)')).toBeVisible();
  await expect(workbench.field('workbench-error')).toBeHidden();
});

test('Line of totals: savings by day, and the definition of a point', async ({ workbench }) => {
  await workbench.chooseDataSet('Automations');
  await workbench.showAs('Time series');
  await workbench.choose(query.measure, 'savings');
  await expect(workbench.field(query.stepHelp)).toContainText('whole days of 24 hours');
  await expect(workbench.field('workbench-graph').locator('canvas').first()).toBeVisible();
  await expect(workbench.field('workbench-error')).toBeHidden();
});
