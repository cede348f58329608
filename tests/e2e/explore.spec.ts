import { selectors as own } from '../../src/selectors';
import { choose, nextFrame } from './support/query';
import { expect, test } from './support/test';

const { query } = own;

test.describe('Explore', () => {
  test('shows rows as a table', async ({ provisioned, explorePage, page }) => {
    await explorePage.datasource.set(provisioned.name);
    const answer = nextFrame(explorePage, { queryType: 'runners' });
    await choose(page, query.dataSet, 'Runners');

    await answer;
    await expect(explorePage.tablePanel.fieldNames).toContainText(['Runner', 'Tasks', 'Items']);
    await expect(explorePage.tablePanel.data.first()).toHaveText(/^runner-\d+$/);
  });

  test('draws lines with their legend', async ({ provisioned, explorePage, page }) => {
    await explorePage.datasource.set(provisioned.name);
    const answer = nextFrame(explorePage, { format: 'timeseries', measure: 'tasks', groupBy: ['state'] });
    await page.getByTestId(query.format).getByRole('radio', { name: 'Time series' }).check();
    await choose(page, query.groupBy, 'state');

    await answer;
    const legend = explorePage.getByGrafanaSelector('data-testid VizLegend series ', { startsWith: true });
    await expect(legend.filter({ hasText: 'FINISHED' })).toBeVisible();
    await expect(explorePage.timeSeriesPanel.locator.locator('canvas').first()).toBeVisible();
  });
});
