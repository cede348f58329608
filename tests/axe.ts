import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** The parts of a page to check, as CSS selectors. */
interface Part {
  within?: string;
  /** Parts that come from elsewhere. */
  without?: string[];
}

/** Fails if axe finds an accessibility violation, with its description and location. */
export async function expectAccessible(page: Page, { within, without = [] }: Part = {}): Promise<void> {
  await transitionsEnd(page);
  const axe = new AxeBuilder({ page }).options({ rules: { 'label-content-name-mismatch': { enabled: true } } });
  // Otherwise, axe opens a window to merge the results of frames from other origins, of which there are none.
  axe.setLegacyMode();
  if (within) {
    axe.include(within);
  }
  without.forEach((selector) => axe.exclude(selector));
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

/** Waits for transitions of colors, such as that of a button that is enabled again. */
async function transitionsEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
}
