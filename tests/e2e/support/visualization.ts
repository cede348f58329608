import { expect, type PanelEditPage } from '@grafana/plugin-e2e';

/**
 * Selects a visualization, whether the picker is open, as in a new panel, or closed.
 *
 * `setVisualization` of @grafana/plugin-e2e 3.14 assumes that the picker is closed if it sees the button that toggles
 * it (since https://github.com/grafana/plugin-tools/pull/2857 and https://github.com/grafana/plugin-tools/pull/2860).
 * Without the feature toggle `newVizSuggestions`, Grafana 12.4 also shows that button in the open picker, as "Back": it
 * then closes an open picker and waits for its tabs in vain. Therefore, this closes the picker first, if it can be
 * closed.
 */
export async function setVisualization(panelEditPage: PanelEditPage, visualization: string): Promise<void> {
  const { components, constants } = panelEditPage.ctx.selectors;
  const tab = panelEditPage.getByGrafanaSelector(components.Tab.title(constants.Tab.title));
  const toggle = panelEditPage.getByGrafanaSelector(components.PanelEditor.toggleVizPicker);

  await expect(tab.or(toggle).first()).toBeVisible();
  if ((await tab.isVisible()) && (await toggle.isVisible())) {
    await toggle.click();
    await expect(tab).toBeHidden();
  }
  await panelEditPage.setVisualization(visualization);
}
