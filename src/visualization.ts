import { useEffect, useRef } from 'react';

import { type DataFrame, DataFrameType, type DataQueryRequest, type PanelData } from '@grafana/data';

import { type InsightsQuery } from './query';

/** Visualizations that show one value of each field: there a group has to be a field. */
const showsFields = ['stat', 'gauge', 'bargauge', 'piechart'];

/** Calculations that pick a value. Over the rows of groups, they would pick one of the groups. */
const picksValue = ['lastNotNull', 'last', 'firstNotNull', 'first'];

type AskedPanel = Pick<DataQueryRequest, 'panelPluginId' | 'scopedVars'>;

/**
 * Asks for a field for each group (numeric-wide) where the panel shows one value of each field. Whatever was chosen for rows
 * keeps them: "All values", another calculation such as the total, transformations. This is sent, never saved: rules and
 * Explore get rows.
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
 * Asks for names without words about what a number covers where the panel finds fields by their names: those words come and go
 * with the time range. Options that were chosen with the words in sight have a bracket, and are left to them. This is sent,
 * never saved.
 */
export function withPlainNames(request: DataQueryRequest<InsightsQuery>): DataQueryRequest<InsightsQuery> {
  const { panel, transformations } = panelOf(request.scopedVars);
  const { options, fieldConfig } = panel?.state ?? {};
  const matchers = (fieldConfig?.overrides ?? []).flatMap(({ matcher }) =>
    matcher.id === 'byRegexp' ? matcher.options : []
  );
  const patterns = [options?.reduceOptions?.fields, ...matchers].filter((pattern) => pattern && !pattern.includes('('));
  return transformations.length > 0 || patterns.length > 0
    ? { ...request, targets: request.targets.map((query) => ({ ...query, plainNames: true })) }
    : request;
}

/** A part of a dashboard, as far as it is read here. */
export interface SceneObject {
  parent?: SceneObject;
  state: {
    key?: string;
    pluginId?: string;
    options?: { reduceOptions?: { values?: boolean; calcs?: string[]; fields?: string } };
    fieldConfig?: { overrides?: Array<{ matcher: { id: string; options?: string } }> };
    transformations?: unknown[];
    /** Of what runs queries. */
    queries?: Array<{ datasource?: { uid?: string }; panelId?: number }>;
    /** Of a dashboard: the panel editor, while it is open. */
    editPanel?: { state: { isNewPanel?: boolean } };
  };
  subscribeToState: (listener: () => void) => { unsubscribe: () => void };
  forEachChild?: (visit: (child: SceneObject) => void) => void;
}

/**
 * The panel that asks. Grafana's dashboards pass what runs the query along (@grafana/scenes, SceneQueryRunner); around that
 * come transformations, then the panel.
 */
export function panelOf(scopedVars: DataQueryRequest['scopedVars']): {
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

/** The visualization that asks; undefined where none does, as in Explore. */
export function visualizationOf({ scopedVars, panelPluginId }: AskedPanel): string | undefined {
  return panelOf(scopedVars).panel?.state.pluginId ?? panelPluginId;
}

/** Whether the panel that asks is being made, and nothing of it was ever saved (Grafana's PanelEditor knows). */
export function isNewPanel({ scopedVars }: AskedPanel): boolean {
  let object = panelOf(scopedVars).panel;
  while (object?.parent) {
    object = object.parent;
  }
  return object?.state.editPanel?.state.isNewPanel === true;
}

/**
 * Runs the query again when the panel becomes one that needs the other shape: Grafana keeps the frames that were made for the
 * visualization before.
 */
export function useVisualization(data: PanelData | undefined, refId: string, onRunQuery: () => void): void {
  const latest = useRef({ data, refId, onRunQuery });
  useEffect(() => {
    latest.current = { data, refId, onRunQuery };
  });
  const { panel } = panelOf(data?.request?.scopedVars ?? {});
  useEffect(() => {
    let wanted: boolean | undefined;
    const check = () => {
      const { data, refId, onRunQuery } = latest.current;
      const wants = data?.request !== undefined && wantsWide(data.request);
      if (wants === wanted) {
        return;
      }
      wanted = wants;
      if (data?.series.some((frame) => frame.refId === refId && hasOtherShape(frame, wants))) {
        onRunQuery();
      }
    };
    check();
    const subscription = panel?.subscribeToState(check);
    return () => subscription?.unsubscribe();
  }, [panel]);
}

function hasOtherShape({ meta, fields }: DataFrame, wide: boolean): boolean {
  return wide
    ? meta?.type === DataFrameType.NumericLong && fields.length > 1
    : meta?.type === DataFrameType.NumericWide;
}
