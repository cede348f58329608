import { type Page } from '@playwright/test';
import { selectors } from '../../src/selectors';
import { pluginId } from '../../workbench/backend/context';
import { expectAccessible } from '../axe';
import { type Source } from './support/grafana';
import { expect, key, test } from './support/test';

const { config } = selectors;

async function fillConnection(page: Page, { url, jsonData }: Source, typedKey: string) {
  await page.getByTestId(config.url).fill(url);
  await page.getByTestId(config.login).fill(jsonData.login ?? '');
  await page.getByTestId(config.key).fill(typedKey);
}

test.describe('a new data source', () => {
  test('can be saved and tested', async ({ createDataSourceConfigPage, provisioned, page }) => {
    const configPage = await createDataSourceConfigPage({ type: pluginId });
    await fillConnection(page, provisioned, key);

    await expect(configPage.saveAndTest()).toBeOK();
    await expect(configPage).toHaveAlert('success', {
      hasText: /Connected to organization ".+"\. Tasks in the last 30 days: [\d,]+\./,
    });
    await page.locator('details').click();
    await expect(page.getByText(/Tasks: [\d,]+ in the last \d+ days/)).toBeVisible();
    await expect(page.getByText(/Runners: \d+ in the last \d+ days/)).toBeVisible();
    await expect(page.getByTestId(config.key)).toHaveValue('configured');
  });

  test('reports a wrong key, and accepts another one', async ({ createDataSourceConfigPage, provisioned, page }) => {
    const configPage = await createDataSourceConfigPage({ type: pluginId });
    await fillConnection(page, provisioned, 'not-the-key');

    await expect(configPage.saveAndTest()).not.toBeOK();
    await expect(configPage).toHaveAlert('error', { hasText: /Login failed: .*check the login and key/i });

    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByTestId(config.key).fill(key);
    // Grafana caches a data source for five seconds: until then, a test after saving still uses the wrong key.
    await expect(async () => {
      await expect(configPage.saveAndTest()).toBeOK();
    }).toPass({ intervals: [1_000], timeout: 60_000 });
    await expect(configPage).toHaveAlert('success', { hasText: 'Connected to organization' });
  });

  test('reports missing settings', async ({ createDataSourceConfigPage, page }) => {
    const configPage = await createDataSourceConfigPage({ type: pluginId });

    await expect(configPage.saveAndTest()).not.toBeOK();
    await expect(configPage).toHaveAlert('error', { hasText: 'Settings: ' });
    for (const setting of ['Base URL', 'Login', 'Key']) {
      await expect(configPage).toHaveAlert('error', { hasText: `${setting} is empty` });
    }
    for (const field of [config.url, config.login, config.key]) {
      await expect(page.getByTestId(field)).toHaveAttribute('aria-invalid', 'true');
      await expect(page.getByTestId(field)).toHaveAccessibleDescription(/is empty: enter/);
    }
    await expect(page.getByTestId(config.key)).toHaveValue('');
  });
});

test('a provisioned data source can be tested but not changed', async ({
  provisioned,
  gotoDataSourceConfigPage,
  page,
}) => {
  const configPage = await gotoDataSourceConfigPage(provisioned.uid);

  await expect(page.getByTestId(config.url)).toHaveValue(provisioned.url);
  await page.getByTestId(config.advanced).click();
  const { url, login, key, maxRows, pageSize, incrementalQuerying, fullReadInterval, headerAdd } = config;
  for (const setting of [url, login, key, maxRows, pageSize, incrementalQuerying, fullReadInterval, headerAdd]) {
    await expect(page.getByTestId(setting)).toBeDisabled();
  }

  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(configPage).toHaveAlert('success', {
    hasText: /Connected to organization ".+"\. Tasks in the last 30 days: [\d,]+\./,
  });
});

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
