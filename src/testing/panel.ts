import { type DataQueryRequest } from '@grafana/data';

import { type InsightsQuery } from '../query/query';

/** The state of a panel, as far as this folder uses it. */
export interface PanelState {
  pluginId: string;
  options?: object;
  fieldConfig?: object;
}

const noOptions = { defaults: {}, overrides: [] };

/** A panel that is open in the panel editor, and a request from it, with objects like those of @grafana/scenes. */
export function panelWith(state: PanelState, query: Partial<InsightsQuery> = {}, isNewPanel = false) {
  const listeners = new Set<() => void>();
  const optionsPane = { state: { isVizPickerOpen: true }, onToggleVizPicker: jest.fn() };
  const dashboard = { state: { editPanel: { state: { isNewPanel, optionsPane } } } };
  const panel = {
    state: { fieldConfig: noOptions, ...state },
    parent: { state: {}, parent: dashboard },
    changePluginType: jest.fn(async () => undefined),
    subscribeToState: (listener: () => void) => {
      listeners.add(listener);
      return { unsubscribe: () => listeners.delete(listener) };
    },
  };
  const runner = { state: {}, parent: { state: { transformations: [] }, parent: panel } };
  const become = (changed: PanelState) => {
    panel.state = { fieldConfig: noOptions, ...changed };
    listeners.forEach((listener) => listener());
  };
  return { request: requestWith(runner, state.pluginId, query), become, listeners, panel, optionsPane };
}

/** A request of a panel with this visualization that passes an object of the scene graph. */
export function requestWith(sceneObject: unknown, panelPluginId = 'timeseries', query: Partial<InsightsQuery> = {}) {
  return {
    targets: [{ refId: 'A', ...query }],
    panelPluginId,
    scopedVars: { __sceneObject: { text: '', value: { valueOf: () => sceneObject } } },
  } as unknown as DataQueryRequest<InsightsQuery>;
}

/** Requests of a Grafana without the scene graph that this folder knows. */
export const withoutSceneGraph: Array<[string, DataQueryRequest<InsightsQuery>]> = [
  ['no variables', { ...requestWith(undefined), scopedVars: undefined } as never],
  ['no object', { ...requestWith(undefined), scopedVars: {} }],
  ['nothing behind it', requestWith(undefined)],
  ['a text', requestWith('panel-7')],
  ['objects without state', requestWith({ parent: { parent: {} } })],
  ['a panel that only has a visualization', requestWith({ state: { pluginId: 'timeseries' } })],
];
