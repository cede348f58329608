import { isEqual, omitBy, size } from 'lodash';

import { type FieldConfig, filterFieldConfigOverrides, isStandardFieldProp } from '@grafana/data';
import { type VizPanel } from '@grafana/scenes';

import { editorOf, panelOf, type PanelRequest } from './scene';

/** Visualizations of Grafana that may be replaced. It is unknown what any other visualization can show. */
const changeable = ['timeseries', 'table', 'barchart', 'stat', 'gauge', 'bargauge', 'piechart', 'state-timeline'];

/** The visualization and the options that suit a query. */
export interface PanelDefaults {
  /** IDs of the visualizations that can show it, the best one first. */
  visualizations: string[];
  /** Options of the first visualization. */
  options?: object;
  /** Standard options, which every visualization has. */
  defaults?: FieldConfig;
}

/**
 * Changes the requesting panel to the best of these visualizations, unless it already is one of them or shows another
 * query as well. As with Grafana's own picker, which closes, options that every visualization has are kept, except for
 * those that the defaults of another preset left there. Where Grafana doesn't offer this, as in Explore, nothing happens: the
 * query of a preset is useful in the present visualization, too.
 */
export async function changeVisualization(
  request: PanelRequest | undefined,
  suited: PanelDefaults,
  others: PanelDefaults[] = []
): Promise<void> {
  try {
    const panel = panelOf(request);
    if (panel && changeable.includes(panel.state.pluginId) && request?.targets.length === 1) {
      await apply(panel, suited, others);
      closePicker(panel);
    }
  } catch {
    // The scene graph is another one, or Grafana cannot load the visualization.
  }
}

async function apply(
  panel: VizPanel,
  { visualizations, options, defaults }: PanelDefaults,
  others: PanelDefaults[]
): Promise<void> {
  const { pluginId, fieldConfig } = panel.state;
  const kept = withoutDefaults(fieldConfig.defaults, others);
  if (!visualizations.includes(pluginId)) {
    await panel.changePluginType(visualizations[0], options, {
      defaults: { ...kept, ...defaults, custom: {} },
      overrides: filterFieldConfigOverrides(fieldConfig.overrides, isStandardFieldProp),
    });
  } else if (size(kept) < size(fieldConfig.defaults)) {
    panel.onFieldConfigChange({ ...fieldConfig, defaults: { ...defaults, ...kept } }, true);
  }
}

function closePicker(panel: VizPanel) {
  const pane = editorOf(panel)?.state?.optionsPane;
  if (pane?.state.isVizPickerOpen) {
    pane.onToggleVizPicker();
  }
}

/** Options without those of other presets: "Nothing is queued" is wrong under every other query. */
function withoutDefaults(config: FieldConfig, others: PanelDefaults[]): FieldConfig {
  return omitBy(config, (value, name) =>
    others.some(({ defaults }) => name in { ...defaults } && isEqual(value, { ...defaults }[name as keyof FieldConfig]))
  );
}
