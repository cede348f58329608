import { type QueryParts } from '../../src/query';
import { selectors } from '../../src/selectors';
import { dashboard, panel } from './support/dashboard';
import { nextFrame } from './support/query';
import { expect, test } from './support/test';

const { query } = selectors;

/** The name of each preset, and enough of its query to identify it. */
const presets: Record<string, QueryParts> = {
  'success-rate': { queryType: 'automations', format: 'numeric', measure: 'successRate' },
  'failed-tasks': { queryType: 'tasks', format: 'timeseries', measure: 'failedTasks' },
  'oldest-queued': { queryType: 'tasks', format: 'numeric', measure: 'oldestQueued' },
  'top-automations': { queryType: 'automations', limit: 10 },
  'runner-utilization': { queryType: 'runners', format: 'numeric', measure: 'utilizationRate' },
  'items-per-hour': { queryType: 'tasks', format: 'timeseries', measure: 'processedItems' },
};

test('each preset fills in the editor and returns data', async ({
  provisioned,
  createDashboard,
  gotoPanelEditPage,
  page,
}) => {
  const uid = await createDashboard(dashboard([panel(provisioned.uid, { queryType: 'tasks' })]));
  const panelEditPage = await gotoPanelEditPage({ dashboard: { uid }, id: '1' });

  for (const [name, parts] of Object.entries(presets)) {
    const answer = nextFrame(panelEditPage, parts);
    await page.getByTestId(query.presets).click();
    await page.getByTestId(query.preset(name)).click();

    expect((await answer).schema.meta?.executedQueryString, name).toContain('GET ');
    await expect(page.getByTestId(query.dropped)).toBeHidden();
    await expect(panelEditPage.panel.getErrorIcon()).toBeHidden();
  }
});
