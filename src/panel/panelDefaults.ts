import { omit } from 'lodash';

import { type FieldConfig, filterFieldConfigOverrides, isStandardFieldProp } from '@grafana/data';
import { type VizPanel } from '@grafana/scenes';

import { editorOf, panelOf, type PanelRequest } from './scene';

/** Visualizations of Grafana that may be replaced. It is unknown what any other visualization can show. */
const changeable: Record<string, string> = {
  timeseries: 'Time series',
  table: 'Table',
  barchart: 'Bar chart',
  stat: 'Stat',
  gauge: 'Gauge',
  bargauge: 'Bar gauge',
  piechart: 'Pie chart',
  'state-timeline': 'State timeline',
};

/** Grafana's name of the visualization that draws what the present one can't; undefined if it can, or is unknown. */
export function betterVisualization(present = '', look: PanelDefaults | undefined): string | undefined {
  const isOther = present in changeable && look && !look.visualizations.includes(present);
  return isOther ? changeable[look.visualizations[0]] : undefined;
}

/** The visualization and the options that suit a query. */
export interface PanelDefaults {
  /** IDs of the visualizations that can show it, the best one first. */
  visualizations: string[];
  options?: object;
  /** Standard options, which every visualization has. */
  defaults?: FieldConfig;
}

/**
 * Changes the requesting panel to the best of these visualizations, unless it already is one of them or shows another
 * query as well. As with Grafana's own picker, which closes, options that every visualization has are kept, except for
 * the color, which presets set. Where Grafana doesn't offer this, as in Explore, nothing happens: the query of a preset is
 * useful in the present visualization, too.
 */
export async function changeVisualization(
  request: PanelRequest | undefined,
  { visualizations, options, defaults }: PanelDefaults
): Promise<void> {
  try {
    const panel = panelOf(request);
    if (!panel || !(panel.state.pluginId in changeable) || request?.targets.length !== 1) {
      return;
    }
    const { pluginId, fieldConfig } = panel.state;
    if (!visualizations.includes(pluginId)) {
      await panel.changePluginType(visualizations[0], options, {
        defaults: { ...omit(fieldConfig.defaults, 'color'), ...defaults, custom: {} },
        overrides: filterFieldConfigOverrides(fieldConfig.overrides, isStandardFieldProp),
      });
    }
    closePicker(panel);
  } catch {
    // The scene graph is another one, or Grafana cannot load the visualization.
  }
}

/** While the picker is open, the editor of a new panel previews a time series. */
function closePicker(panel: VizPanel) {
  const pane = editorOf(panel)?.state?.optionsPane;
  if (pane?.state.isVizPickerOpen) {
    pane.onToggleVizPicker();
  }
}
