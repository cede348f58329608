import { selectors } from '../../src/selectors';
import { expect, test } from './support/test';

const { config } = selectors;

test.describe('a saved data source', () => {
  test('keeps its key when another setting changes', async ({ api, createSource, gotoDataSourceConfigPage, page }) => {
    const { uid } = await createSource();
    const configPage = await gotoDataSourceConfigPage(uid);
    await expect(page.getByTestId(config.key)).toHaveValue('configured');
    await page.getByTestId(config.advanced).click();
    await page.getByTestId(config.maxRows).fill('5000');

    await expect(configPage.saveAndTest()).toBeOK();
    await expect(configPage).toHaveAlert('success', { hasText: 'Connected to organization' });
    expect((await api.source(uid)).jsonData.maxRows).toBe(5000);
  });
});
