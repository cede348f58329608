import { selectors } from '../../src/selectors';
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
