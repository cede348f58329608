import { CoreApp } from '@grafana/data';
import { type DataQuery } from '@grafana/schema';

import { type DataSetName } from '../datasets/datasets';

/** How rows become a frame. */
export type Format = 'table' | 'timeseries' | 'numeric';

/** Grafana's ad-hoc operators. */
export const operators = ['=', '!=', '=~', '!~', '=|', '!=|', '<', '<=', '>', '>='] as const;
export type Operator = (typeof operators)[number];

/** Keeps rows whose field `key` compares so; `values` belong to the operators `=|` and `!=|`. */
export interface Filter {
  key: string;
  operator: Operator;
  value?: string;
  values?: string[];
}

export type Order = 'asc' | 'desc';

export interface Sort {
  field: string;
  order: Order;
}

export type TimeField = 'dateCreation' | 'dateStartRunning' | 'dateLastModified';

/** Which earlier time is compared with: the period before, or the same time so much before. */
export const comparisons = ['previous', 'day', 'week', 'month', 'year'] as const;
export type Compare = (typeof comparisons)[number];

/** What a line has points for; auto: the panel's interval. */
export const units = ['auto', 'hour', 'day', 'week', 'month'] as const;
export type Per = (typeof units)[number];

/**
 * The query as dashboards, alert rules and provisioning files keep it.
 * A property that is absent has its default, so that a saved query says only what its author chose.
 */
export interface InsightsQuery extends DataQuery {
  /** Data set; tasks when absent. */
  queryType?: DataSetName;
  /** Look back so many days; absent: follow the time range. */
  days?: number;
  /** Automation label (tasks, automations) or runner id (runners). */
  search?: string;
  sort?: Sort;
  filters?: Filter[];
  /** Table when absent. */
  format?: Format;
  /** Table: these fields, in this order; absent: all. */
  columns?: string[];
  /** Table: rows; otherwise: groups, largest first. */
  limit?: number;
  measure?: string;
  /** Fields that become labels. */
  groupBy?: string[];
  /** Tasks; dateCreation when absent. */
  timeField?: TimeField;
  /** An earlier time to compare with; numbers and lines. */
  compare?: Compare;
  /** Lines: a point for each hour, day, week or month; auto when absent. */
  per?: Per;
  /** IANA name; the dashboard's when absent, UTC in a rule. */
  timezone?: string;
}

/** A query without what Grafana adds to it. */
export type QueryParts = Omit<InsightsQuery, keyof DataQuery> & Pick<InsightsQuery, 'queryType'>;

export const defaultFormat: Format = 'table';
export const defaultTimeField: TimeField = 'dateCreation';

/** Whether a query belongs to an alert rule or a recording rule. */
export function isRule(app: CoreApp | string | undefined): boolean {
  return app === CoreApp.UnifiedAlerting || app === CoreApp.CloudAlerting;
}

/**
 * Marks the query that Grafana just made for a panel. A symbol is kept by copies, and never by what is saved or sent: so a
 * saved query that says as little as a new one is not taken for it.
 */
const isNew = Symbol('new query of a panel');

interface New {
  [isNew]?: true;
}

/**
 * What a new query asks for: rows. That of a rule begins with newRule, that of a panel with newPanel, which the editor saves.
 * Grafana's rule editor lays what stands here under saved rules as well: they would show a filter or days that they do not
 * have. So do panels, under saved queries that name their data set at most: a table of tasks would become lines.
 */
export function defaultQuery(app?: CoreApp): Partial<QueryParts> & New {
  if (isRule(app)) {
    return {};
  }
  return app === CoreApp.PanelEditor ? { queryType: 'tasks', [isNew]: true } : { queryType: 'tasks' };
}

/** Whether Grafana made a query for a panel, and nobody has said yet what it asks for. */
export function isNewQuery(query: InsightsQuery & New): boolean {
  return query[isNew] === true && query.queryType === 'tasks' && isUntouched({ ...query, queryType: undefined });
}

/** Says what a new query asks for, which is not new any more. */
export function withFirst(query: InsightsQuery & New, first: QueryParts): InsightsQuery {
  const { [isNew]: _, ...rest } = query;
  return withParts(rest, first);
}

/**
 * What a new query of a panel asks for: a new panel is a time series, and rows would draw their numbers, ids first. In points of
 * its interval, a day of tasks would be a comb of ones.
 */
export const newPanel: QueryParts = {
  queryType: 'tasks',
  format: 'timeseries',
  measure: 'tasks',
  groupBy: ['finishStatus'],
  per: 'hour',
};

/**
 * What a new rule asks for: one number for each instance. Over a day, an automation with three runs is at 67 % after one
 * failure; those that did not run have no rate, although the service may report 0.
 */
export const newRule: QueryParts = {
  queryType: 'automations',
  days: 7,
  format: 'numeric',
  measure: 'successRate',
  groupBy: ['label'],
  filters: [{ key: 'taskCount', operator: '>', value: '0' }],
};

const partNames: Array<keyof QueryParts> = [
  ...(['queryType', 'days', 'search', 'sort', 'filters', 'format', 'columns', 'limit'] as const),
  ...(['measure', 'groupBy', 'timeField', 'compare', 'per', 'timezone'] as const),
];

/** Whether nobody has said yet what a query asks for. */
export function isUntouched(query: InsightsQuery): boolean {
  return partNames.every((name) => isEmpty(query[name]));
}

/** Sets properties or, with undefined, an empty text or an empty list, removes them, so that no default is ever saved. */
export function withParts(query: InsightsQuery, parts: Partial<QueryParts>): InsightsQuery {
  const result = { ...query, ...parts };
  for (const name of Object.keys(parts) as Array<keyof QueryParts>) {
    if (isEmpty(result[name])) {
      delete result[name];
    }
  }
  return result;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
