import { selectors } from '../../src/selectors';
import { choose } from './support/query';
import { expect, test } from './support/test';

const { query } = selectors;

test('a starter query draws the timeline of the runners, and the editor changes it', async ({
  provisioned,
  panelEditPage,
  page,
}) => {
  await panelEditPage.datasource.set(provisioned.name);
  await expect(page.getByTestId(query.measure)).toBeVisible();
  await page.getByTestId(query.presets).click();
  await page.getByTestId(query.preset('runner-timeline')).click();

  await expect(page.getByTestId('data-testid Panel editor OptionsPane header')).toHaveText('State timeline');
  const panel = panelEditPage.panel.locator;
  await expect(panel.locator('.u-over')).toBeVisible();
  await expect(page.getByTestId(query.reset)).toBeHidden();
  await expect(panelEditPage.panel.getErrorIcon()).toBeHidden();
  // The legend has the names of automations, in place of Grafana's thresholds.
  const legend = panel.getByTestId(/^data-testid VizLegend series/);
  await expect(legend.first()).toBeVisible();
  await expect(legend.filter({ hasText: /^\d+\+$/ })).toHaveCount(0);

  await choose(page, query.state, 'Finish status');
  await expect(legend.filter({ hasText: 'SUCCESS' })).toBeVisible();
  await choose(page, query.groupBy, 'Automation');
  await expect(panel.locator('.u-over')).toBeVisible();
  await expect(panelEditPage.panel.getErrorIcon()).toBeHidden();
});
