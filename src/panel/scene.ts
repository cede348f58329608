import { type DataQueryRequest } from '@grafana/data';
import { type SceneObject, type VizPanel } from '@grafana/scenes';

// This folder contains everything that uses the scene graph of Grafana's dashboards, which is not part of Grafana's API
// for plugins. Each part is optional: without the scene graph, or with another one, it does nothing.

/** The request of a panel. */
export type PanelRequest = Pick<DataQueryRequest, 'panelPluginId' | 'scopedVars' | 'targets'>;

/** The options pane of the panel editor, which previews a time series while its visualization picker is open. */
interface OptionsPane {
  state: { isVizPickerOpen?: boolean };
  onToggleVizPicker: () => void;
}

/** The panel editor. Grafana publishes no type for it. */
type PanelEditor = { state?: { isNewPanel?: boolean; optionsPane?: OptionsPane } };

/**
 * The panel that sends a request; undefined elsewhere, such as in Explore. Grafana passes the query runner of the panel
 * as a variable; the panel is one of its ancestors.
 */
export function panelOf(request: Pick<PanelRequest, 'scopedVars'> | undefined): VizPanel | undefined {
  let object: SceneObject | undefined = request?.scopedVars?.__sceneObject?.value?.valueOf();
  while (object && !isPanel(object)) {
    object = object.parent;
  }
  return object;
}

function isPanel(object: SceneObject): object is VizPanel {
  return (object as Partial<VizPanel>).state?.pluginId !== undefined;
}

/** The panel editor that a panel is open in. Only the root of the scene graph, the dashboard, has one. */
export function editorOf(panel: SceneObject | undefined): PanelEditor | undefined {
  let root = panel;
  while (root?.parent) {
    root = root.parent;
  }
  return (root?.state as { editPanel?: PanelEditor } | undefined)?.editPanel;
}

/** The visualization of the panel now; a request contains the visualization at the time when it was sent. */
export function visualizationOf(request: PanelRequest): string | undefined {
  return panelOf(request)?.state.pluginId ?? request.panelPluginId;
}

/** Whether the panel that sends a request is open in the panel editor. */
export const isEdited = (request: PanelRequest): boolean => editorOf(panelOf(request)) !== undefined;

/** Whether the panel that sends a request is new and was never saved. */
export const isNewPanel = (request: PanelRequest): boolean => editorOf(panelOf(request))?.state?.isNewPanel === true;
