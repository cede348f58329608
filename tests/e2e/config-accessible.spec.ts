import { expectAccessible } from '../axe';
import { selectors } from '../../src/selectors';
import { expect, test } from './support/test';

const { config } = selectors;

/** The page without Grafana's navigation and the clicked button, whose colors are Grafana's own. */
const settings = { within: 'main', without: ['[data-testid$="Save and Test button"]'] };

test('all settings, and the suggestions of Save & test', async ({ createSource, gotoDataSourceConfigPage, page }) => {
  const { uid } = await createSource({ jsonData: { runnersPath: '/api/v1/insights/robots' } });
  const configPage = await gotoDataSourceConfigPage(uid);
  await page.getByTestId(config.advanced).click();
  await expect(configPage.saveAndTest()).toBeOK();
  await expect(configPage).toHaveAlert('warning', { hasText: 'Warnings: 1.' });
  await page.getByTestId(config.timeout).fill('0');
  await page.getByTestId(config.maxConcurrentRequests).fill('100');
  await expectAccessible(page, settings);

  await page.getByTestId(config.suggestion('runnersPath')).click();
  await page.getByTestId(config.timeout).fill('');
  await page.getByTestId(config.maxConcurrentRequests).fill('');
  // Grafana caches a data source for five seconds: until then, a test after saving still uses the previous path.
  await expect(async () => {
    await expect(configPage.saveAndTest()).toBeOK();
    await expect(configPage).toHaveAlert('success', { hasText: 'Connected to organization', timeout: 1_000 });
  }).toPass({ intervals: [1_000], timeout: 60_000 });
});
