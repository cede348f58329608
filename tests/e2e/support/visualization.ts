import { expect, type PanelEditPage } from '@grafana/plugin-e2e';

/**
 * Chooses a visualization, whether the picker is open, as it is in a new panel, or closed.
 *
 * `setVisualization` of @grafana/plugin-e2e 3.14 takes the picker for closed where it sees the button that toggles it
 * (since https://github.com/grafana/plugin-tools/pull/2857 and https://github.com/grafana/plugin-tools/pull/2860).
 * Without the feature toggle `newVizSuggestions`, Grafana 12.4 shows that button in the open picker too, as "Back": an
 * open picker is closed and its tabs are waited for in vain. So the picker is closed before, where it can be.
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
