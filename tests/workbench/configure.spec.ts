import { expect, selectors, test } from './fixtures';

const { config } = selectors;

test('the page says that it is not Grafana', async ({ workbench }) => {
  await expect(workbench.field('workbench-notice')).toHaveText('A small workbench for the plugin – not Grafana');
});

test('Save & test: the organization, and the number of its tasks', async ({ workbench }) => {
  await workbench.saveAndTest();
  await expect(workbench.health).toHaveAttribute('data-status', 'success');
  await expect(workbench.health).toContainText('acme');
  await expect(workbench.health).toContainText('days: 399');
});

test('the details are available', async ({ workbench }) => {
  await workbench.saveAndTest();
  await workbench.health.getByText('Details').click();
  const report = workbench.field('workbench-health-details');
  await expect(report).toContainText('Tasks: pages of 20 rows, although 500 are requested');
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

test('invalid settings are reported by name', async ({ workbench }) => {
  await workbench.field(config.advanced).click();
  await workbench.field(config.timeout).fill('0');
  await workbench.field(config.maxRows).fill('all');
  await workbench.saveAndTest();
  await expect(workbench.health).toHaveAttribute('data-status', 'error');
  await expect(workbench.health).toContainText('Timeout (jsonData.timeout) is 0: must be a whole number');
  await expect(workbench.health).toContainText('Max rows (jsonData.maxRows) is all: must be a whole number');
});

test('each required field that is empty is marked', async ({ workbench }) => {
  await workbench.field(config.login).fill('');
  await workbench.saveAndTest();
  await expect(workbench.health).toHaveAttribute('data-status', 'error');
  await expect(workbench.health).toContainText('Login is empty');
  await expect(workbench.field(config.login)).toHaveAttribute('aria-invalid', 'true');
  await expect(workbench.field(config.login)).toHaveAccessibleDescription(/Login is empty/);
  await expect(workbench.field(config.url)).toHaveAttribute('aria-invalid', 'false');
});

test('a saved key is never returned to the browser', async ({ workbench, page }) => {
  const answers: string[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/api/')) {
      answers.push(await response.text());
    }
  });
  await workbench.saveAndTest();
  await expect(workbench.health).toHaveAttribute('data-status', 'success');
  // Saved, reloaded, tested.
  await expect.poll(() => answers.length).toBeGreaterThan(2);
  expect(answers.join('\n')).not.toContain('demo-key');
  await expect(workbench.field(config.key)).toBeDisabled();
  expect(await page.content()).not.toContain('demo-key');
});

test("a wrong key: the service's message, and what to check; the right key fixes it", async ({ workbench, page }) => {
  await page.getByRole('button', { name: 'Reset' }).click();
  await workbench.field(config.key).fill('no-such-key');
  await workbench.saveAndTest();
  await expect(workbench.health).toHaveAttribute('data-status', 'error');
  await expect(workbench.health).toContainText('Invalid login or key');
  await expect(workbench.health).toContainText('check the login and key', { ignoreCase: true });

  await page.getByRole('button', { name: 'Reset' }).click();
  await workbench.field(config.key).fill('demo-key');
  await workbench.saveAndTest();
  await expect(workbench.health).toHaveAttribute('data-status', 'success');
});

test('page size and repeated reads are saved, and restored', async ({ workbench, running, page }) => {
  await workbench.field(config.advanced).click();
  await workbench.field(config.pageSize).fill('100');
  await workbench.field(config.fullReadInterval).fill('0');
  // The checkbox of a switch is hidden behind its label.
  await workbench.field(config.incrementalQuerying).uncheck({ force: true });
  await expect(workbench.field(config.fullReadInterval)).toBeHidden();
  await workbench.saveAndTest();
  await expect(workbench.health).toHaveAttribute('data-status', 'success');
  const changed = { pageSize: 100, fullReadInterval: 0, incrementalQuerying: false };
  expect(running.store.get().jsonData).toMatchObject(changed);

  await page.reload();
  await workbench.field(config.advanced).click();
  await expect(workbench.field(config.pageSize)).toHaveValue('100');
  await expect(workbench.field(config.incrementalQuerying)).not.toBeChecked();
  await workbench.field(config.incrementalQuerying).check({ force: true });
  await expect(workbench.field(config.fullReadInterval)).toHaveValue('0');
});
