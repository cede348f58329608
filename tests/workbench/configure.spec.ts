import { expect, selectors, test } from './fixtures';

const { config } = selectors;

test('Save & test: the organization, the number of its tasks, and details', async ({ workbench }) => {
  await workbench.saveAndTest();
  await expect(workbench.health).toHaveAttribute('data-status', 'success');
  await expect(workbench.health).toContainText('acme');
  await expect(workbench.health).toContainText('days: 399');
  await workbench.health.getByText('Details').click();
  const report = workbench.field('workbench-health-details');
  await expect(report).toContainText('Tasks: 399 in the last 30 days.');
  await expect(report).toContainText('Runners: 5 in the last 30 days.');
});

test('a wrong runners path is a warning, and the right one can be applied with a click', async ({
  workbench,
  running,
}) => {
  await workbench.field(config.advanced).click();
  await workbench.field(config.runnersPath).fill('/api/v1/insights/robots');
  await workbench.saveAndTest();
  await expect(workbench.health).toHaveAttribute('data-status', 'warning');
  await expect(workbench.health).toContainText('Runners cannot be read at /api/v1/insights/robots,');
  expect(running.store.get().jsonData.runnersPath).toBe('/api/v1/insights/robots');

  await workbench.field(config.suggestion('runnersPath')).click();
  await expect(workbench.field(config.runnersPath)).toHaveValue('/api/v1/insights/runner');
  await workbench.saveAndTest();
  await expect(workbench.health).toHaveAttribute('data-status', 'success');
});

test('page size and repeated reads are saved, and restored', async ({ workbench, running, page }) => {
  await workbench.field(config.advanced).click();
  await workbench.field(config.pageSize).fill('100');
  await workbench.field(config.fullReadInterval).fill('0');
  // The checkbox of a switch is hidden behind its label.
  await workbench.field(config.incrementalQuerying).uncheck({ force: true });
  await workbench.saveAndTest();
  await expect(workbench.health).toHaveAttribute('data-status', 'success');
  const changed = { pageSize: 100, fullReadInterval: 0, incrementalQuerying: false };
  expect(running.store.get().jsonData).toMatchObject(changed);

  await page.reload();
  await workbench.field(config.advanced).click();
  await expect(workbench.field(config.pageSize)).toHaveValue('100');
  await expect(workbench.field(config.incrementalQuerying)).not.toBeChecked();
  await expect(workbench.field(config.fullReadInterval)).toHaveValue('0');
});
