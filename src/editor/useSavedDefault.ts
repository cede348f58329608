import { useEffect, useRef } from 'react';

import { CoreApp } from '@grafana/data';

import { type InsightsQuery } from '../query';

/**
 * Saves the query that a new alert rule begins with. Grafana's rule editor lays the default query under an empty one for
 * the eye only: the rule would ask a table, which no condition can read, while the editor shows a number.
 */
export function useSavedDefault(
  app: CoreApp | string | undefined,
  query: InsightsQuery,
  onChange: (query: InsightsQuery) => void
): void {
  const saved = useRef(false);
  useEffect(() => {
    if (!saved.current && (app === CoreApp.UnifiedAlerting || app === CoreApp.CloudAlerting)) {
      saved.current = true;
      onChange(query);
    }
  }, [app, query, onChange]);
}
