import { type PanelEditPage } from '@grafana/plugin-e2e';

import { type QueryParts } from '../../src/query/query';
import { dashboard, panel } from './support/dashboard';
import { column, type Frame, nextFrame } from './support/query';
import { expect, test } from './support/test';

const byLabel: QueryParts = { queryType: 'automations', format: 'numeric', measure: 'taskCount', groupBy: ['label'] };

/** In an order that covers each change of shape, and changes between visualizations of one shape. */
const walk = ['Stat', 'Bar chart', 'Gauge', 'Table', 'Bar gauge', 'Pie chart', 'Bar chart', 'Table', 'Stat'] as const;
const showsFields = ['Stat', 'Gauge', 'Bar gauge', 'Pie chart'];

function groupsOf(frame: Frame): unknown[] {
  const { fields, meta } = frame.schema;
  return meta?.type === 'numeric-wide' ? fields.map(({ labels }) => labels?.label) : column(frame, 'label');
}

/** Stat and the like show the names of automations, and the rows of a table contain their labels. */
async function expectNames(page: PanelEditPage, visualization: string, names: string[], labels: string[]) {
  await expect(page.panel.getErrorIcon()).toBeHidden();
  if (visualization === 'Table') {
    await expect(page.panel.fieldNames).toContainText(['Automation', 'Tasks']);
  }
  // A table only renders visible rows, and a bar chart its names on a canvas.
  const written = visualization === 'Table' ? labels.slice(0, 3) : visualization === 'Bar chart' ? [] : names;
  for (const name of written) {
    await expect(page.panel.locator.getByText(name).first()).toBeAttached();
  }
}

/**
 * Selects a visualization, whether the picker is open, as in a new panel, or closed. `setVisualization` of @grafana/plugin-e2e
 * 3.14 would close an open one in Grafana 12.4, which also shows the button that toggles it there, as "Back", and wait for its
 * tabs in vain.
 */
async function setVisualization(panelEditPage: PanelEditPage, visualization: string): Promise<void> {
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

test('every group is shown with its name, regardless of the previous visualization', async ({
  provisioned,
  api,
  editPanel,
}) => {
  test.slow();
  const labels = [...(await api.automationNames(provisioned.uid, 1)).keys()];
  const names = [...(await api.automationNames(provisioned.uid)).values()];
  const panelEditPage = await editPanel(dashboard([panel(provisioned.uid, byLabel)]));
  await expectNames(panelEditPage, 'Table', [], []);

  let wide = false;
  for (const visualization of walk) {
    const wants = showsFields.includes(visualization);
    const answer = wants === wide ? undefined : nextFrame(panelEditPage, byLabel);
    await setVisualization(panelEditPage, visualization);
    const frame = await answer;
    if (frame) {
      expect(frame.schema.meta?.type).toBe(wants ? 'numeric-wide' : 'numeric-long');
      expect(groupsOf(frame).sort()).toEqual([...labels].sort());
    }
    wide = wants;
    await expectNames(panelEditPage, visualization, names, labels);
  }
});

test('the saved query does not contain the visualization', async ({
  provisioned,
  createDashboard,
  gotoDashboardPage,
  page,
  api,
}) => {
  const [name] = (await api.automationNames(provisioned.uid)).values();
  const uid = await createDashboard(dashboard([panel(provisioned.uid, byLabel, { type: 'stat' })]));
  const dashboardPage = await gotoDashboardPage({ uid });
  await expect(dashboardPage.getPanelByTitle('Panel 1').locator.getByText(name)).toBeVisible();
  const saved = await page.request.get(`/api/dashboards/uid/${uid}`);
  expect((await saved.json()).dashboard.panels[0].targets).toEqual([{ refId: 'A', ...byLabel }]);
});
