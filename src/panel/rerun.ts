import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';

import { type PanelData } from '@grafana/data';

import { type InsightsQuery } from '../query/query';
import { needsRows } from '../source/frames';
import { panelOf, visualizationOf } from './scene';

/**
 * Returns the visualization of the panel, and runs the query again when the panel changes to one that needs another
 * response: Grafana keeps the response for the previous visualization. Without the scene graph, the next refresh brings it.
 */
export function useVisualization(
  query: InsightsQuery,
  data: PanelData | undefined,
  onRunQuery: () => void
): string | undefined {
  const request = data?.request;
  const panel = panelOf(request);
  const subscribe = useCallback(
    (listener: () => void) => {
      const subscription = panel?.subscribeToState?.(listener);
      return () => subscription?.unsubscribe();
    },
    [panel]
  );
  const now = useSyncExternalStore(subscribe, () => request && visualizationOf(request));
  const before = useRef<string>(undefined);
  useEffect(() => {
    const previous = before.current ?? request?.panelPluginId;
    before.current = now;
    if (now && needsRows(query, { panelPluginId: now }) !== needsRows(query, { panelPluginId: previous })) {
      onRunQuery();
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only another visualization needs another response
  }, [now]);
  return now;
}
