import type { Page } from '@playwright/test';
import { expect, selectors, test } from './fixtures';

/** Presses Tab until a control has the focus, as a keyboard user does. */
async function tabTo(page: Page, testId: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  // Editors are loaded when they are opened.
  await page.getByTestId(testId).waitFor();
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key);
    if (await page.evaluate((id) => document.activeElement?.closest(`[data-testid="${id}"]`) !== null, testId)) {
      return;
    }
  }
  throw new Error(`${key} pressed 60 times doesn't lead to ${testId}`);
}

test('from the settings to the rows without a mouse', async ({ workbench, page }) => {
  await tabTo(page, selectors.config.url);
  await tabTo(page, 'workbench-save-and-test');
  await page.keyboard.press('Enter');
  await expect(workbench.health).toHaveAttribute('data-status', 'success');

  await tabTo(page, 'workbench-tab-explore', 'Shift+Tab');
  await page.keyboard.press('Enter');

  await tabTo(page, selectors.query.dataSet);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(workbench.rows).toContainText('5 rows');

  await tabTo(page, selectors.query.columns);
  await page.keyboard.type('Utilization');
  await page.keyboard.press('Tab');
  await expect(workbench.column('Utilization')).toBeVisible();
  await expect(workbench.column('Runner')).toBeHidden();
});

for (const control of ['measure', 'groupBy', 'search'] as const) {
  test(`takes keys in ${control} that come faster than the page`, async ({ workbench, page }) => {
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await workbench.open('explore');
    await workbench.showAs('Number');
    await workbench.field(selectors.query.more).click();
    await workbench.field(selectors.query[control]).click();
    // As many as a key that is held down, each of which is sent before the page has responded to the one before.
    const keys = Array.from({ length: 120 }, (_, index) => 'abc'[index % 3]);
    await Promise.all(keys.map((key) => page.keyboard.press(key)));
    await expect(workbench.field(selectors.query[control])).toHaveValue(keys.join(''));
    expect(errors).toEqual([]);
  });
}

for (const key of ['Enter', 'Tab']) {
  test(`chooses on ${key} what was typed, although the list is drawn later`, async ({ workbench, page }) => {
    await workbench.open('explore');
    await workbench.field(selectors.query.columns).click();
    await Promise.all([...'Automation', key].map((each) => page.keyboard.press(each)));
    await expect(workbench.column('Task')).toBeHidden();
    await expect(workbench.column('Automation')).toBeVisible();
  });
}
