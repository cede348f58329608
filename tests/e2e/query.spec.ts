import { type DataSetName } from '../../schema/datasets';
import { selectors } from '../../src/selectors';
import { metric } from '../../workbench/backend/metrics';
import { dashboard, panel } from './support/dashboard';
import { choose, column, expectNotice, nextFrame } from './support/query';
import { expect, test } from './support/test';

const { query } = selectors;

test.describe('the query editor suggests', () => {
  test('automations to search for, and accepts free text', async ({ provisioned, editPanel, page }) => {
    const panelEditPage = await editPanel(dashboard([panel(provisioned.uid, { queryType: 'tasks' })]));
    await page.getByTestId(query.more).click();
    const search = page.getByTestId(query.search);
    await search.click();
    const option = page.getByRole('option').first();
    await expect(option).toBeVisible();
    const [label] = (await option.innerText()).split('\n');
    const found = nextFrame(panelEditPage, { search: label });
    await option.click();
    expect(new Set(column(await found, 'activityLabel'))).toEqual(new Set([label]));

    const part = label.slice(0, 4).toUpperCase();
    const typed = nextFrame(panelEditPage, { search: part });
    await search.fill(part);
    await search.press('Enter');
    const labels = column(await typed, 'activityLabel').map(String);
    expect(labels).toContain(label);
    expect(labels.filter((text) => !text.toUpperCase().includes(part))).toEqual([]);
    await expect(search).toHaveValue(part);
  });

  test('nothing for other text, and a notice says what remains', async ({ createSource, editPanel, page }) => {
    // Its only notice: other tests change tasks that have ended, and the provisioned data source says so for an hour.
    const { uid: source } = await createSource();
    const panelEditPage = await editPanel(dashboard([panel(source, { queryType: 'tasks' })]));
    await page.getByTestId(query.filterAdd).click();
    await choose(page, query.filterField(0), 'machineId');
    const value = page.getByTestId(query.filterValue(0));
    const filtered = nextFrame(panelEditPage, { filters: [{ key: 'machineId', operator: '=', value: 'nobody' }] });
    await value.click();
    await value.pressSequentially('nobody');
    await value.press('Enter');
    const [notice] = (await filtered).schema.meta?.notices ?? [];
    expect(notice.text).toMatch(/^0 of [\d,]+ rows match: no row satisfies machineId = "nobody"\./);
    await expectNotice(page, panelEditPage.panel.locator, notice.text);
  });
});

test('totals are shown as a line, day by day', async ({ provisioned, editPanel, page }) => {
  const shown = panel(provisioned.uid, { queryType: 'automations' }, { type: 'timeseries' });
  const panelEditPage = await editPanel(dashboard([shown]));
  const answer = nextFrame(panelEditPage, { queryType: 'automations', format: 'timeseries', measure: 'savings' });
  await page.getByTestId(query.format).getByRole('radio', { name: 'Time series' }).check();
  await choose(page, query.measure, 'savings');

  const frame = await answer;
  expect(frame.schema.meta?.type).toBe('timeseries-wide');
  const times = frame.data.values[0] as number[];
  expect(times.slice(1).every((time, index) => time - times[index] === 86_400_000)).toBe(true);
  await expect(page.getByTestId(query.stepHelp)).toBeVisible();
  await expect(panelEditPage.panel.getErrorIcon()).toBeHidden();
});

test('an invalid query reports the wrong value and what is allowed', async ({ provisioned, editPanel, page }) => {
  // A provisioning file can contain what the editor never saves.
  const panelEditPage = await editPanel(dashboard([panel(provisioned.uid, { queryType: 'jobs' as DataSetName })]));

  await expect(panelEditPage.panel.getErrorIcon()).toBeVisible();
  await expect(panelEditPage.getQueryEditorRow('A')).toContainText(
    'unknown data set (queryType) "jobs": use one of tasks'
  );
  await expectNoStack(await page.locator('body').innerText());
});

test('a refusal of the service is shown in the panel, with what to check', async ({
  createSource,
  openDashboard,
  page,
}) => {
  const { uid: sourceUid } = await createSource({ secureJsonData: { key: 'not-the-key' } });
  const dashboardPage = await openDashboard(dashboard([panel(sourceUid, { queryType: 'tasks' })]));
  const error = dashboardPage.getPanelByTitle('Panel 1').getErrorIcon();

  await expect(error).toBeVisible();
  await error.hover();
  await expect(page.getByRole('tooltip')).toContainText(/check the login and key/i);
  await expectNoStack(await page.locator('body').innerText());
});

function expectNoStack(text: string) {
  expect(text).not.toMatch(/goroutine \d|panic:|\.go:\d+|runtime error/);
}

test.describe("the information about a panel's query", () => {
  test('the inspector shows stats and the executed query, without a secret', async ({
    source,
    openDashboard,
    page,
  }) => {
    const dashboardPage = await openDashboard(dashboard([panel(source, { queryType: 'automations' })]));
    const shown = dashboardPage.getPanelByTitle('Panel 1');
    await expect(shown.data).not.toHaveCount(0);
    await shown.locator.hover();
    await shown.clickOnMenuItem('Query', { parentItem: 'Inspect' });

    const inspector = page.getByRole('dialog');
    await inspector.getByRole('button', { name: 'Refresh' }).click();
    const executed = inspector.getByText(/GET http.*\/api\/v1\/insights\/automation\?filterBy=7/).first();
    await expect(executed).toBeVisible();
    await expect(inspector).not.toContainText(/demo-key|accessToken/);

    await inspector.getByRole('tab', { name: 'Stats' }).click();
    for (const stat of ['Pages read', 'Rows read', 'Requests to the service', 'Bytes received', 'Time to read']) {
      await expect(inspector.getByText(stat, { exact: true })).toBeVisible();
    }
  });
});

test('Grafana serves the metrics of the plugin and of its SDK', async ({ api, createSource, openDashboard }) => {
  const before = await api.metrics();
  const { uid: source } = await createSource();
  const panels = [
    panel(source, { queryType: 'automations' }, { id: 1 }),
    panel(source, { queryType: 'automations', format: 'numeric', measure: 'taskCount' }, { id: 2 }),
  ];
  const dashboardPage = await openDashboard(dashboard(panels));
  await expect(dashboardPage.getPanelByTitle('Panel 2').data).not.toHaveCount(0);

  const after = await api.metrics();
  const grown = (name: string) => metric(after, name) - metric(before, name);
  for (const name of ['insights_reads_total', 'plugins_datasource_request_total']) {
    expect(grown(name), name).toBeGreaterThan(0);
  }
  expect(after).toMatch(/^insights_reads_total\{data_set="automations",source="cache"\} [1-9]/m);
});
