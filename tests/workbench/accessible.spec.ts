import { expectAccessible } from '../axe';
import { expect, selectors, test } from './fixtures';

const { config } = selectors;

test('all settings, as they are opened, and some of them invalid', async ({ workbench, page }) => {
  await expect(workbench.field(config.url)).toBeVisible();
  await expectAccessible(page);
  await workbench.field(config.url).fill('insights');
  await workbench.field(config.advanced).click();
  await workbench.field(config.timeout).fill('0');
  await workbench.field(config.headerAdd).click();
  // The checkbox of a switch is hidden behind its label.
  await workbench.field(config.tlsAuth).check({ force: true });
  await workbench.field(config.tlsAuthWithCACert).check({ force: true });
  await expectAccessible(page);
});

test('the settings with the report of Save & test, its suggestions, and a required field that is empty', async ({
  workbench,
  page,
}) => {
  await workbench.field(config.advanced).click();
  await workbench.field(config.runnersPath).fill('/api/v1/insights/robots');
  await workbench.saveAndTest();
  await expect(workbench.field(config.suggestions)).toBeVisible();
  await workbench.health.getByText('Details').click();
  await workbench.field(config.login).fill('');
  await expectAccessible(page);
});

test('the query editor', async ({ workbench, page }) => {
  await workbench.open('explore');
  await expect(workbench.rows).toBeVisible();
  await expectAccessible(page, { within: `[data-testid="${selectors.query.editor}"]` });
  await workbench.field(selectors.query.more).click();
  for (const format of ['Table', 'Number', 'Time series'] as const) {
    await workbench.showAs(format);
    // The colors of a table are from Grafana's palette.
    await expectAccessible(page, { within: `[data-testid="${selectors.query.editor}"]` });
  }
});
