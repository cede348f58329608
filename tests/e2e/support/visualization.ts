import { expect, type PanelEditPage } from '@grafana/plugin-e2e';

/**
 * Selects a visualization, whether the picker is open, as in a new panel, or closed. `setVisualization` of @grafana/plugin-e2e
 * 3.14 would close an open one in Grafana 12.4, which also shows the button that toggles it there, as "Back", and wait for its
 * tabs in vain.
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
