import { selectors as own } from '../../src/selectors';
import { choose, column, nextFrame } from './support/query';
import { expect, test } from './support/test';

const { query } = own;

test.describe('Explore', () => {
  test('filters for the value of a cell, and no longer', async ({ provisioned, explorePage, page }) => {
    await explorePage.datasource.set(provisioned.name);
    await expect(explorePage.tablePanel.data.filter({ hasText: /^SUCCESS$/ })).not.toHaveCount(0);
    const filters = [{ key: 'finishStatus', operator: '=' as const, value: 'SUCCESS' }];
    const toggle = async () => {
      await explorePage.tablePanel.data
        .filter({ hasText: /^SUCCESS$/ })
        .first()
        .hover();
      await page.getByRole('button', { name: 'Filter for value' }).first().click();
    };

    const filtered = nextFrame(explorePage, { filters });
    await toggle();
    expect(new Set(column(await filtered, 'finishStatus'))).toEqual(new Set(['SUCCESS']));
    await expect(page.getByTestId(query.filterField(0))).toHaveValue('Finish status');

    const all = nextFrame(explorePage, { queryType: 'tasks', filters: undefined });
    await toggle();
    expect(new Set(column(await all, 'finishStatus')).size).toBeGreaterThan(1);
    await expect(page.getByTestId(query.filterField(0))).toBeHidden();
  });

  test('takes one value of a filter after the other, in a list that stays open', async ({
    provisioned,
    explorePage,
    page,
  }) => {
    await explorePage.datasource.set(provisioned.name);
    await page.getByTestId(query.filterAdd).click();
    await choose(page, query.filterField(0), 'state');
    await page.getByTestId(query.filterOperator(0)).click();
    await page.getByRole('option', { name: /^=\| / }).click();
    const values = ['RUNNING', 'FINISHED'];
    const answer = nextFrame(explorePage, { filters: [{ key: 'state', operator: '=|', values }] });
    await page.getByTestId(query.filterValue(0)).click();
    for (const value of values) {
      await page.getByRole('option', { name: value }).click();
    }
    const states = new Set(column(await answer, 'state')); // At some times, no task of the last hour is running.
    expect(states).toContain('FINISHED');
    expect(values).toEqual(expect.arrayContaining([...states]));
    await expect(page.getByTestId(query.filterValue(0))).toBeFocused();
  });

  test('offers the starter queries as its help', async ({ provisioned, explorePage, page }) => {
    await explorePage.datasource.set(provisioned.name);
    await page.getByRole('button', { name: 'Show data source help' }).click();
    await page.getByTestId(query.example('top-automations')).click();
    await expect(page.getByTestId(query.more)).toContainText('Rows: 10');
    const answer = nextFrame(explorePage, { queryType: 'automations', limit: 10 });
    // On a busy machine, runQuery of @grafana/plugin-e2e takes the button for one that does not fit.
    await page.getByTestId('data-testid RefreshPicker run button').click();
    await answer;
  });
});
