import { useEffect, useRef } from 'react';

import { CoreApp, type PanelData } from '@grafana/data';

import { isNewPanel, visualizationOf } from '../panel/scene';
import {
  type InsightsQuery,
  isNewQuery,
  isRule,
  isUntouched,
  newPanel,
  newRule,
  type QueryParts,
  withFirst,
} from '../query';

interface Props {
  app: CoreApp | string | undefined;
  query: InsightsQuery;
  data: PanelData | undefined;
  onChange: (query: InsightsQuery) => void;
  onRunQuery: () => void;
}

/**
 * Saves and runs the first query of a new alert rule or panel. A saved query is never changed, however short it is. In a
 * rule, it is run: Grafana waits for Preview, and the editor of a rule shows the current result.
 */
export function useFirstQuery({ app, query, data, onChange, onRunQuery }: Props): void {
  const mayBeNew = useRef(isUntouched(query) || isNewQuery(query));
  const isRunInRule = useRef(Boolean(data?.series.length));
  const request = data?.request;
  useEffect(() => {
    const first = mayBeNew.current ? firstQuery(app, query, request) : undefined;
    if (first) {
      mayBeNew.current = false;
      onChange(withFirst(query, first));
    }
    if (first || (isRule(app) && !isRunInRule.current)) {
      isRunInRule.current = true;
      onRunQuery();
    }
  }, [app, query, request, onChange, onRunQuery]);
}

/** The request identifies the panel: Grafana runs a new panel before it opens the query editor. */
function firstQuery(app: Props['app'], query: InsightsQuery, request: PanelData['request']): QueryParts | undefined {
  if (isRule(app)) {
    return isUntouched(query) ? newRule : undefined;
  }
  const isNew = isNewQuery(query) || (request && isUntouched(query) && isNewPanel(request));
  // The initial query of a panel suits any visualization except a table, which shows the rows.
  const isDrawn = app === CoreApp.PanelEditor && request && visualizationOf(request) !== 'table';
  return isNew && isDrawn ? newPanel : undefined;
}
