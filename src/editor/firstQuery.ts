import { useEffect, useRef } from 'react';

import { CoreApp, type PanelData } from '@grafana/data';

import {
  type InsightsQuery,
  isNewQuery,
  isRule,
  isUntouched,
  newPanel,
  newRule,
  newTable,
  type QueryParts,
  withFirst,
} from '../query';
import { isNewPanel, visualizationOf } from '../visualization';

interface Props {
  app: CoreApp | string | undefined;
  query: InsightsQuery;
  data: PanelData | undefined;
  onChange: (query: InsightsQuery) => void;
  onRunQuery: () => void;
}

/** Saves and runs what a new rule, or a new query of a panel, begins with. A saved query is left alone, however little it says. */
export function useFirstQuery({ app, query, data, onChange, onRunQuery }: Props): void {
  const mayBeNew = useRef(isUntouched(query) || isNewQuery(query));
  const request = data?.request;
  useEffect(() => {
    const first = mayBeNew.current ? firstQuery(app, query, request) : undefined;
    if (first) {
      mayBeNew.current = false;
      onChange(withFirst(query, first));
      onRunQuery();
    }
  }, [app, query, request, onChange, onRunQuery]);
}

/** Which panel asks is known from its request: a new panel runs before its queries are edited. */
function firstQuery(app: Props['app'], query: InsightsQuery, request: PanelData['request']): QueryParts | undefined {
  if (isRule(app)) {
    return isUntouched(query) ? newRule : undefined;
  }
  const isNew = isNewQuery(query) || (request && isUntouched(query) && isNewPanel(request));
  if (app !== CoreApp.PanelEditor || !request || !isNew) {
    return undefined;
  }
  return visualizationOf(request) === 'table' ? newTable : newPanel;
}
