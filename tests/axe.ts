import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What of a page is looked at, as CSS selectors. */
interface Part {
  within?: string;
  /** What others have made. */
  without?: string[];
}

/** Fails where axe finds something that keeps people from using the page, and says what and where. */
export async function expectAccessible(page: Page, { within, without = [] }: Part = {}): Promise<void> {
  const axe = new AxeBuilder({ page }).options({ rules: { 'label-content-name-mismatch': { enabled: true } } });
  if (within) {
    axe.include(within);
  }
  without.forEach((selector) => axe.exclude(selector));
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
