import type { Locator } from '@playwright/test';
import { expect, selectors, test } from './fixtures';

const { config, query } = selectors;

/** A pane of a split Explore, a half of a panel editor, and a window. */
const widths = [400, 600, 1280];

/** The page of settings, from one of its fields. */
const settings = 'xpath=ancestor::*[descendant::*[@data-testid="workbench-save-and-test"]][1]';

/**
 * Makes every text 40% longer, as other languages do, and returns the texts of elements that are wider than what they
 * are in. Typed values may be: their field scrolls.
 */
async function overflowing(editor: Locator): Promise<string[]> {
  return editor.evaluate((root) => {
    const longer = (text: string) => `${text} ${text.slice(0, Math.ceil(text.length * 0.4) - 1)}`;
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode as Text & { longer?: string };
      if (node.data.trim() && node.data !== node.longer) {
        node.data = node.longer = longer(node.data);
      }
    }
    const { right } = root.getBoundingClientRect();
    const isCut = (element: HTMLElement) => {
      const { overflowX } = getComputedStyle(element);
      return overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
    };
    return [...root.querySelectorAll<HTMLElement>('*')]
      .filter((element) => element.offsetParent !== null && !element.closest('svg') && element.tagName !== 'INPUT')
      .filter((element) => element.getBoundingClientRect().right > right + 1 || isCut(element))
      .map((element) => `${element.tagName} ${element.dataset.testid ?? ''} ${element.innerText}`);
  });
}

test('the settings do not overflow with longer texts, however narrow', async ({ workbench, page }) => {
  await workbench.field(config.advanced).click();
  await workbench.field(config.timeout).fill('0');
  await workbench.field(config.headerAdd).click();
  await workbench.field(config.tlsAuth).check({ force: true });
  for (const width of widths) {
    await page.setViewportSize({ width, height: 1000 });
    expect(await overflowing(workbench.field(config.url).locator(settings)), `${width} px`).toEqual([]);
  }
});

test('the query editor does not overflow with longer texts, however narrow', async ({ workbench, page }) => {
  await workbench.open('explore');
  await workbench.field(query.more).click();
  await workbench.field(query.filterAdd).click();
  for (const format of ['Table', 'Needs attention', 'Number', 'Time series'] as const) {
    await page.setViewportSize({ width: 1280, height: 1000 });
    await workbench.showAs(format);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 1000 });
      expect(await overflowing(workbench.field(query.editor)), `${format}, ${width} px`).toEqual([]);
    }
  }
});
