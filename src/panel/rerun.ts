import { useEffect, useRef } from 'react';

import { type PanelData } from '@grafana/data';

import { type InsightsQuery } from '../query';
import { needsRows } from '../visualization';
import { panelOf, visualizationOf } from './scene';

/**
 * Runs the query again when the panel changes to a visualization that needs another response: Grafana keeps the
 * response for the previous visualization. Without the scene graph, the next refresh brings it.
 */
export function useVisualization(query: InsightsQuery, data: PanelData | undefined, onRunQuery: () => void): void {
  const latest = useRef({ query, data, onRunQuery });
  useEffect(() => {
    latest.current = { query, data, onRunQuery };
  });
  const panel = panelOf(data?.request);
  useEffect(() => {
    let ranFor: string | undefined;
    const check = () => {
      const { query, data, onRunQuery } = latest.current;
      const request = data?.request;
      const now = request && visualizationOf(request);
      if (!request || now === ranFor) {
        return;
      }
      const before = ranFor ?? request.panelPluginId;
      ranFor = now;
      if (needsRows(query, { panelPluginId: now }) !== needsRows(query, { panelPluginId: before })) {
        onRunQuery();
      }
    };
    check();
    const subscription = panel?.subscribeToState?.(check);
    return () => subscription?.unsubscribe();
  }, [panel]);
}
