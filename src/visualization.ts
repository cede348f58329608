import { isEqual, omitBy, size } from 'lodash';
import { useEffect, useRef } from 'react';

import {
  type DataFrame,
  DataFrameType,
  type DataQueryRequest,
  type Field,
  type FieldConfig,
  type FieldConfigSource,
  FieldType,
  filterFieldConfigOverrides,
  isStandardFieldProp,
  type PanelData,
} from '@grafana/data';

import { dataSets } from '../datasets/datasets';
import { type InsightsQuery } from './query';

/** Visualizations that show one value per field: for these, each group must be a field. */
const showsFields = ['stat', 'gauge', 'bargauge', 'piechart'];

/** Visualizations that draw every number field of a table: for these, identifiers must be hidden. */
const drawsNumbers = ['timeseries', 'barchart'];

/** Calculations that pick a value. Over the rows of groups, they would pick one of the groups. */
const picksValue = ['lastNotNull', 'last', 'firstNotNull', 'first'];

type AskedPanel = Pick<DataQueryRequest, 'panelPluginId' | 'scopedVars' | 'targets'>;

/**
 * Requests a field per group (numeric-wide) if the panel shows one value per field. Panels that are set up for rows still
 * get rows: those with "All values", another calculation such as the total, or transformations. This is sent, never
 * saved: rules and Explore get rows.
 */
export function withWide(request: DataQueryRequest<InsightsQuery>): DataQueryRequest<InsightsQuery> {
  if (!wantsWide(request)) {
    return request;
  }
  const targets = request.targets.map((query) =>
    query.format === 'numeric' && query.groupBy?.length ? { ...query, wide: true } : query
  );
  return { ...request, targets };
}

function wantsWide(request: AskedPanel): boolean {
  const { panel, transformations } = panelOf(request.scopedVars);
  const { values, calcs = [] } = panel?.state.options?.reduceOptions ?? {};
  return (
    showsFields.includes(visualizationOf(request) ?? '') &&
    transformations.length === 0 &&
    !values &&
    calcs.every((calc) => picksValue.includes(calc))
  );
}

/**
 * Hides numeric identifiers if the panel would draw them: task IDs are a line at two billion, which flattens all other
 * lines. The field is kept, so overrides and transformations find it, and an override can show it again.
 */
export function withHiddenKeys(frames: DataFrame[], request: AskedPanel): DataFrame[] {
  if (!hidesKeys(request)) {
    return frames;
  }
  const hide = (field: Field): Field =>
    isDrawnKey(field)
      ? { ...field, config: { ...field.config, custom: { ...field.config.custom, hideFrom: hiddenFrom } } }
      : field;
  return frames.map((frame) => ({ ...frame, fields: frame.fields.map(hide) }));
}

function hidesKeys(request: AskedPanel): boolean {
  return drawsNumbers.includes(visualizationOf(request) ?? '');
}

const hiddenFrom = { viz: true, legend: true, tooltip: true };

function isDrawnKey({ name, type }: Field): boolean {
  return type === FieldType.number && dataSets.some(({ key }) => key === name);
}

/** The options pane of the panel editor. While its visualization picker is open, Grafana previews a time series. */
interface OptionsPane {
  state: { isVizPickerOpen?: boolean };
  onToggleVizPicker?: () => void;
}

/** A scene object of a dashboard, with only the properties that are used here. */
interface SceneObject {
  parent?: SceneObject;
  state: {
    pluginId?: string;
    options?: { reduceOptions?: { values?: boolean; calcs?: string[]; fields?: string } };
    fieldConfig?: FieldConfigSource;
    transformations?: unknown[];
    /** Only in a dashboard: the panel editor while it is open. */
    editPanel?: { state: { isNewPanel?: boolean; optionsPane?: OptionsPane } };
  };
  subscribeToState: (listener: () => void) => { unsubscribe: () => void };
  /** Of a panel (VizPanel). */
  onFieldConfigChange?: (fieldConfig: FieldConfigSource, replace: boolean) => void;
  changePluginType?: (pluginId: string, options?: object, fieldConfig?: FieldConfigSource) => Promise<void>;
}

/**
 * The requesting panel. Grafana's dashboards pass the query runner with the request (@grafana/scenes, SceneQueryRunner).
 * Its ancestors are the transformations, followed by the panel.
 */
function panelOf(scopedVars: DataQueryRequest['scopedVars'] | undefined): {
  panel?: SceneObject;
  transformations: unknown[];
} {
  let panel: SceneObject | undefined = scopedVars?.__sceneObject?.value?.valueOf();
  const transformations: unknown[] = [];
  while (panel && !panel.state?.pluginId) {
    transformations.push(...(panel.state?.transformations ?? []));
    panel = panel.parent;
  }
  return { panel, transformations };
}

/** The visualization of the requesting panel; undefined without one, as in Explore. */
export function visualizationOf({ scopedVars, panelPluginId }: AskedPanel): string | undefined {
  return panelOf(scopedVars).panel?.state.pluginId ?? panelPluginId;
}

/** Whether the requesting panel is new and was never saved, according to Grafana's PanelEditor. */
export function isNewPanel({ scopedVars }: AskedPanel): boolean {
  return editorOf(panelOf(scopedVars).panel)?.state.isNewPanel === true;
}

function editorOf(object: SceneObject | undefined): SceneObject['state']['editPanel'] {
  return object?.parent ? editorOf(object.parent) : object?.state.editPanel;
}

/** Visualizations of Grafana that may be replaced. It is unknown what any other visualization can show. */
const changeable = ['timeseries', 'table', 'barchart', ...showsFields];

/** How to show a query. */
export interface Look {
  /** IDs of the visualizations that can show it, the best one first. */
  visualizations: string[];
  /** Options of the first visualization. */
  options?: object;
  /** Standard options, which every visualization has. */
  defaults?: FieldConfig;
}

/**
 * Changes the panel that asks to the best of these visualizations, unless it already is one of them or shows another query as
 * well. As with Grafana's own picker, which closes, options that every visualization has are kept, except for those that one of
 * the other looks left there. Where Grafana does not offer this, as in Explore, or fails to, nothing happens.
 */
export async function changeVisualization(
  request: AskedPanel | undefined,
  { visualizations, options, defaults }: Look,
  others: Look[] = []
): Promise<void> {
  const { panel } = panelOf(request?.scopedVars);
  const { pluginId = '', fieldConfig } = panel?.state ?? {};
  if (!changeable.includes(pluginId) || request?.targets.length !== 1) {
    return;
  }
  const overrides = fieldConfig?.overrides ?? [];
  const kept = withoutLooks(fieldConfig?.defaults, others);
  if (!visualizations.includes(pluginId)) {
    try {
      await panel?.changePluginType?.(visualizations[0], options, {
        defaults: { ...kept, ...defaults, custom: {} },
        overrides: filterFieldConfigOverrides(overrides, isStandardFieldProp),
      });
    } catch {
      // The query of a preset is of use in the visualization that is there, too.
      return;
    }
  } else if (size(kept) < size(fieldConfig?.defaults)) {
    panel?.onFieldConfigChange?.({ defaults: { ...defaults, ...kept }, overrides }, true);
  }
  const optionsPane = editorOf(panel)?.state.optionsPane;
  if (optionsPane?.state.isVizPickerOpen) {
    optionsPane.onToggleVizPicker?.();
  }
}

/** Options without those of these looks: "Nothing is queued" is wrong under every other query. */
function withoutLooks(config: FieldConfig | undefined, looks: Look[]): FieldConfig {
  return omitBy(config, (value, name) =>
    looks.some(({ defaults }) => name in { ...defaults } && isEqual(value, { ...defaults }[name as keyof FieldConfig]))
  );
}

/**
 * Runs the query again when the panel changes to a visualization that needs different frames: Grafana keeps the frames of
 * the previous one.
 */
export function useVisualization(data: PanelData | undefined, refId: string, onRunQuery: () => void): void {
  const latest = useRef({ data, refId, onRunQuery });
  useEffect(() => {
    latest.current = { data, refId, onRunQuery };
  });
  const { panel } = panelOf(data?.request?.scopedVars);
  useEffect(() => {
    let wanted: Shape | undefined;
    const check = () => {
      const { data, refId, onRunQuery } = latest.current;
      const shape = data?.request ? shapeFor(data.request) : 'rows';
      if (shape === wanted) {
        return;
      }
      wanted = shape;
      if (data?.series.some((frame) => frame.refId === refId && hasOtherShape(frame, shape))) {
        onRunQuery();
      }
    };
    check();
    const subscription = panel?.subscribeToState(check);
    return () => subscription?.unsubscribe();
  }, [panel]);
}

/** A field per group, rows with hidden identifiers, or unchanged rows. */
type Shape = 'wide' | 'drawn' | 'rows';

function shapeFor(request: AskedPanel): Shape {
  if (wantsWide(request)) {
    return 'wide';
  }
  return hidesKeys(request) ? 'drawn' : 'rows';
}

function hasOtherShape({ meta, fields }: DataFrame, shape: Shape): boolean {
  const otherKeys = fields.some(
    (field) => isDrawnKey(field) && Boolean(field.config.custom?.hideFrom) !== (shape === 'drawn')
  );
  const otherGroups =
    shape === 'wide'
      ? meta?.type === DataFrameType.NumericLong && fields.length > 1
      : meta?.type === DataFrameType.NumericWide;
  return otherKeys || otherGroups;
}
