import { selectors } from '../../src/selectors';
import { expect, test } from './support/test';

const { config } = selectors;

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
