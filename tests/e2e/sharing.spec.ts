import { type QueryParts } from '../../src/query/query';
import { dashboard, panel } from './support/dashboard';
import { expect, test } from './support/test';

/** Twelve queries for the same tasks. */
const questions: QueryParts[] = [
  { columns: ['activityLabel', 'state'] },
  { sort: { field: 'dateCreation', order: 'asc' } },
  { filters: [{ key: 'finishStatus', operator: '=', value: 'FAILED' }] },
  // Sorted by a field that requires all rows: the newest five would be a separate read.
  { limit: 5, sort: { field: 'totalItems', order: 'desc' } },
  { format: 'numeric', measure: 'tasks' },
  { format: 'numeric', measure: 'successRate', groupBy: ['activityLabel'] },
  { format: 'numeric', measure: 'failedTasks', groupBy: ['repositoryLabel'] },
  { format: 'numeric', measure: 'oldestQueued' },
  { format: 'timeseries', measure: 'tasks' },
  { format: 'timeseries', measure: 'tasks', groupBy: ['state'] },
  { format: 'timeseries', measure: 'duration' },
  { format: 'timeseries', measure: 'processedItems', timeField: 'dateLastModified' },
];

test('twelve panels on one data set query the service once', async ({ simulator, createSource, openDashboard }) => {
  // While tasks arrive, a read may have to request a page again; here, the world is frozen.
  await simulator.freeze();
  const { uid: source } = await createSource();
  const days = 11;
  const panels = questions.map((question, index) =>
    panel(source, { queryType: 'tasks', ...question }, { id: index + 1 })
  );
  const dashboardPage = await openDashboard(dashboard(panels, { time: { from: `now-${days}d`, to: 'now' } }));
  await dashboardPage.waitForPanelsQueriesToComplete({ timeout: 60_000 });
  await expect(dashboardPage.getPanelByTitle('Panel 12').data).not.toHaveCount(0);
  await expect(dashboardPage).not.toHavePanelErrors();

  // The last panel needs older tasks, too.
  const requests = [...(await simulator.requests(days + 1)), ...(await simulator.requests(days + 4))];
  const pages = requests.map(({ path }) => new URL(path, 'http://service').searchParams.get('page'));
  expect(pages.length).toBeGreaterThan(1);
  // A browser sends six queries at a time, so this one may arrive when the others have been answered: then, page 0, the last
  // pages, and those of tasks that haven't ended, which are two to four at any hour of the simulated day, show that the rows
  // read so far are still right.
  expect(pages.length, 'each page once').toBeLessThanOrEqual(new Set(pages).size + 7);
});
