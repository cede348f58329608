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

  test('shows page size and repeated reads as they were saved', async ({
    api,
    createSource,
    gotoDataSourceConfigPage,
    page,
  }) => {
    const { uid } = await createSource();
    const configPage = await gotoDataSourceConfigPage(uid);
    await page.getByTestId(config.advanced).click();
    await expect(page.getByTestId(config.pageSize)).toHaveAttribute('placeholder', '500');
    await expect(page.getByTestId(config.incrementalQuerying)).toBeChecked();
    await page.getByTestId(config.pageSize).fill('100');
    await page.getByTestId(config.fullReadInterval).fill('0');
    // The checkbox of a switch is hidden behind its label.
    await page.getByTestId(config.incrementalQuerying).uncheck({ force: true });
    await expect(page.getByTestId(config.fullReadInterval)).toBeHidden();

    await expect(configPage.saveAndTest()).toBeOK();
    await expect(configPage).toHaveAlert('success', { hasText: 'Connected to organization' });
    const changed = { pageSize: 100, fullReadInterval: 0, incrementalQuerying: false };
    expect((await api.source(uid)).jsonData).toMatchObject(changed);

    await page.reload();
    await page.getByTestId(config.advanced).click();
    await expect(page.getByTestId(config.pageSize)).toHaveValue('100');
    await expect(page.getByTestId(config.incrementalQuerying)).not.toBeChecked();
    await page.getByTestId(config.incrementalQuerying).check({ force: true });
    await expect(page.getByTestId(config.fullReadInterval)).toHaveValue('0');
  });

  test('explains a limit that is not allowed', async ({ createSource, gotoDataSourceConfigPage, page }) => {
    const { uid } = await createSource({ jsonData: { maxConcurrentRequests: 4 } });
    await gotoDataSourceConfigPage(uid);
    await page.getByTestId(config.advanced).click();
    const setting = page.getByTestId(config.maxConcurrentRequests);
    await expect(setting).toHaveValue('4');
    await setting.fill('64');

    await expect(page.getByText('"64" is not allowed: enter a whole number from 1 to 32')).toBeVisible();
  });

  test('reports a service that it cannot reach, and its host', async ({ createSource, gotoDataSourceConfigPage }) => {
    // Port 9 is "discard": nothing listens on it.
    const { uid } = await createSource({ url: 'http://127.0.0.1:9' });
    const configPage = await gotoDataSourceConfigPage(uid);

    await expect(configPage.saveAndTest()).not.toBeOK();
    await expect(configPage).toHaveAlert('error', { hasText: /Login failed: .*127\.0\.0\.1:9/ });
  });
});
