import { selectors } from '../../src/selectors';
import { dashboard, panel } from './support/dashboard';
import { askedQueries, choose, nextFrame } from './support/query';
import { expect, test } from './support/test';

const { query } = selectors;

test('changing the data set keeps what applies and shows what it drops', async ({
  provisioned,
  createDashboard,
  gotoPanelEditPage,
  page,
}) => {
  const shown = panel(provisioned.uid, {
    queryType: 'tasks',
    days: 3,
    columns: ['id', 'activityLabel', 'repositoryLabel'],
    sort: { field: 'dateCreation', order: 'desc' },
    filters: [{ key: 'state', operator: '=', value: 'FINISHED' }],
  });
  const uid = await createDashboard(dashboard([shown]));
  const panelEditPage = await gotoPanelEditPage({ dashboard: { uid }, id: '1' });
  const answer = nextFrame(panelEditPage, {
    queryType: 'automations',
    days: 3,
    columns: ['repositoryLabel'],
    sort: undefined,
    filters: undefined,
  });
  await choose(page, query.dataSet, 'Automations');
  await answer;

  const reset = page.getByTestId(query.reset);
  await expect(reset).toContainText(/^Reset, because it does not apply to .*: .*Columns/);
  await expect(reset).toContainText('Filters');
  await expect(reset).toContainText('Sort by');
  await reset.getByRole('button').click();
  await expect(reset).toBeHidden();
});

test('an invalid number shows what is expected, and is not queried', async ({
  provisioned,
  createDashboard,
  gotoPanelEditPage,
  page,
}) => {
  const uid = await createDashboard(dashboard([panel(provisioned.uid, { queryType: 'runners', days: 5 })]));
  const panelEditPage = await gotoPanelEditPage({ dashboard: { uid }, id: '1' });
  const limits = new Set<number | undefined>();
  page.on('response', (response) => {
    if (response.url().includes('/api/ds/query')) {
      askedQueries(response).forEach(({ limit }) => limits.add(limit));
    }
  });

  await page.getByTestId(query.more).click();
  for (const [input, text] of [
    [query.days, '0'],
    [query.days, 'many'],
    [query.limit, '-3'],
    [query.limit, '1.5'],
  ]) {
    await page.getByTestId(input).fill(text);
    await page.getByTestId(input).press('Enter');
    await expect(page.getByText(`"${text}" is not allowed: enter a whole number of at least 1`)).toBeVisible();
  }
  // The query uses the saved days, regardless of the typed text.
  const answer = nextFrame(panelEditPage, { queryType: 'runners', days: 5, limit: 2 });
  await page.getByTestId(query.limit).fill('2');
  await page.getByTestId(query.limit).press('Enter');
  expect((await answer).data.values[0]).toHaveLength(2);
  expect([...limits].filter((limit) => limit !== undefined && limit !== 2)).toEqual([]);
});
