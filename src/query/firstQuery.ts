import { useEffect, useRef } from 'react';

import { CoreApp, type PanelData } from '@grafana/data';

import { isNewPanel, visualizationOf } from '../panel/scene';
import { partNames } from './parts';
import { type InsightsQuery, isEmpty, isRule, type QueryParts, taskColumns, withParts } from './query';

/**
 * The initial query of a panel: a new panel is a time series, which would draw the numbers of rows, starting with IDs.
 * Hourly, because at the panel's interval, most points of a day of tasks would be 0 or 1.
 */
export const newPanel: QueryParts = {
  queryType: 'tasks',
  format: 'timeseries',
  measure: 'tasks',
  groupBy: ['finishStatus'],
  per: 'hour',
};

/** The initial query of Explore, and of a panel that is a table: rows. */
const newTable: QueryParts = { queryType: 'tasks', columns: taskColumns };

/**
 * The initial query of a rule: one number per instance. Over a day, an automation with three runs has 67 % after one
 * failure; an automation that didn't run has no rate, although the service may report 0.
 */
export const newRule: QueryParts = {
  queryType: 'automations',
  days: 7,
  format: 'numeric',
  measure: 'successRate',
  groupBy: ['label'],
  filters: [{ key: 'taskCount', operator: '>', value: '0' }],
};

// Marks the query that Grafana has just created for a panel. A symbol survives copying, but not saving or sending, so a saved
// query that contains just as little is not mistaken for a new one.
const isNew = Symbol('new query of a panel');

type New = { [isNew]?: true };

/**
 * The initial query: rows. Rules start with newRule, and panels with newPanel, which the editor saves. Neither is a
 * default, because Grafana merges defaults into saved queries: the rule editor would show a filter or days that the
 * saved rule doesn't have, and a panel whose query contains at most its data set would change from a table to lines.
 */
export function defaultQuery(app?: CoreApp): Partial<QueryParts> & New {
  if (isRule(app)) {
    return {};
  }
  if (app === CoreApp.Explore) {
    // Explore only starts with it, and merges it into nothing.
    return newTable;
  }
  return app === CoreApp.PanelEditor ? { queryType: 'tasks', [isNew]: true } : { queryType: 'tasks' };
}

/** Whether nothing has been selected in a query yet. */
export const isUntouched = (query: InsightsQuery): boolean => partNames.every((name) => isEmpty(query[name]));

/** Whether Grafana created a query for a panel and nothing has been selected in it yet. */
function isNewQuery(query: InsightsQuery & New): boolean {
  return query[isNew] === true && query.queryType === 'tasks' && isUntouched({ ...query, queryType: undefined });
}

// What a new rule, a new panel, or an empty query in Explore asks for first. The request identifies the panel: Grafana runs a
// new panel, whose query has no mark, before it opens the query editor.
function firstQuery(app: Props['app'], query: InsightsQuery, request: PanelData['request']): QueryParts | undefined {
  if (isRule(app)) {
    return isUntouched(query) ? newRule : undefined;
  }
  if (app === CoreApp.Explore) {
    // What it means anyway. Explore runs no query that says nothing, such as one of a link, not even on request.
    return isUntouched(query) ? { queryType: 'tasks' } : undefined;
  }
  const isFirst = isNewQuery(query) || (request && isUntouched(query) && isNewPanel(request));
  if (!isFirst || !request || app !== CoreApp.PanelEditor) {
    return undefined;
  }
  return visualizationOf(request) === 'table' ? newTable : newPanel;
}

interface Props {
  app: CoreApp | string | undefined;
  query: InsightsQuery;
  data: PanelData | undefined;
  onChange: (query: InsightsQuery) => void;
  onRunQuery: () => void;
}

/**
 * Saves and runs the first query of a new alert rule or panel, and of Explore. What a saved query means is never changed,
 * however short it is. In a rule, it is run: Grafana waits for Preview, and the editor of a rule shows the current result.
 */
export function useFirstQuery({ app, query, data, onChange, onRunQuery }: Props): void {
  const mayBeNew = useRef(isUntouched(query) || isNewQuery(query));
  const isRunInRule = useRef(Boolean(data?.series.length));
  const request = data?.request;
  useEffect(() => {
    const first = mayBeNew.current ? firstQuery(app, query, request) : undefined;
    if (first) {
      mayBeNew.current = false;
      const { [isNew]: _, ...rest }: InsightsQuery & New = query;
      onChange(withParts(rest, first));
    }
    if (first || (isRule(app) && !isRunInRule.current)) {
      isRunInRule.current = true;
      onRunQuery();
    }
  }, [app, query, request, onChange, onRunQuery]);
}
