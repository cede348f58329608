import { CoreApp } from '@grafana/data';
import { type DataQuery } from '@grafana/schema';

import { type DataSetName } from '../schema/datasets';

/** How rows are converted to a frame. */
export type Format = 'table' | 'timeseries' | 'numeric' | 'timeline' | 'attention';

/** Grafana's ad hoc operators. */
export const operators = ['=', '!=', '=~', '!~', '=|', '!=|', '<', '<=', '>', '>='] as const;
export type Operator = (typeof operators)[number];

/** Keeps rows whose field `key` matches; `values` are for the operators `=|` and `!=|`. */
export interface Filter {
  key: string;
  operator: Operator;
  value?: string;
  values?: string[];
}

/** Whether an operator compares with several values. */
export function isMultiValue(operator: string | undefined): boolean {
  return operator === '=|' || operator === '!=|';
}

const multiValue: Partial<Record<Operator, Operator>> = { '=': '=|', '!=': '!=|' };

/** Sets the values of a filter where its operator expects them. Several values make "equals" "one of". */
export function withOperands({ key, operator, ...rest }: Omit<Filter, 'value' | 'values'>, operands: string[]): Filter {
  const several = operands.length > 1 ? (multiValue[operator] ?? operator) : operator;
  if (operands.length === 0) {
    return { ...rest, key, operator };
  }
  return isMultiValue(several) || (operands.length > 1 && isVariable(operator))
    ? { ...rest, key, operator: several, values: operands }
    : { ...rest, key, operator, value: operands.join(',') };
}

export type Order = 'asc' | 'desc';

export interface Sort {
  field: string;
  order: Order;
}

/** The earlier period to compare with: the period before, or the same period one unit before. */
export const comparisons = ['previous', 'day', 'week', 'month', 'year'] as const;
export type Compare = (typeof comparisons)[number];

/** The unit of a line's points; auto: the panel's interval. */
export const units = ['auto', 'hour', 'day', 'week', 'month'] as const;
export type Per = (typeof units)[number];

/**
 * The query as dashboards, alert rules, and provisioning files store it. An absent property has its default, so that a
 * saved query contains only what its author selected.
 */
export interface InsightsQuery extends DataQuery {
  /** Data set; tasks when absent. */
  queryType?: DataSetName;
  /** Number of days to look back; absent: follow the time range. */
  days?: number;
  /** Automation label (tasks, automations) or runner ID (runners). */
  search?: string;
  sort?: Sort;
  filters?: Filter[];
  /** Table when absent. */
  format?: Format;
  /** Table: these fields, in this order; absent: all. */
  columns?: string[];
  /** Table: rows; timeline: lanes; otherwise: groups, largest first. */
  limit?: number;
  measure?: string;
  /** Fields that become labels; timeline: the lanes, machineId when absent; attention: one field, or activityLabel. */
  groupBy?: string[];
  /** Rows with times: the first of the data set's time fields when absent. */
  timeField?: string;
  /** An earlier period to compare with; numbers and lines. */
  compare?: Compare;
  /** Lines: a point for each hour, day, week, or month; auto when absent. */
  per?: Per;
  /** IANA name; the dashboard's when absent, UTC in a rule. */
  timezone?: string;
  /** Attention: thresholds by the name of their reason, as a number or its text; the defaults when absent. */
  attention?: Record<string, number | string>;
  /** Timeline: the field that names and colors a bar; activityLabel when absent. */
  state?: string;
}

/** A query for the distinct values of a field. */
export interface InsightsVariableQuery extends DataQuery {
  queryType?: DataSetName;
  field?: string;
  /** Only values that contain this text. */
  search?: string;
  /** Number of days to look back; absent: follow the time range. */
  days?: number;
  /** Only values of rows that match these filters, which can refer to other variables. */
  filters?: Filter[];
}

/** A query as the browser sends it, with properties that are never saved. */
export interface SentQuery extends InsightsQuery {
  /** The response to a number has a field for each group (wide, when absent), or a row for each group (long). */
  shape?: 'wide' | 'long';
  /** The time range ends now. */
  untilNow?: boolean;
}

/** The properties of a query that Grafana doesn't add to it. */
export const partNames = [
  ...(['queryType', 'days', 'search', 'sort', 'filters', 'format', 'columns', 'limit'] as const),
  ...(['measure', 'groupBy', 'timeField', 'compare', 'per', 'timezone', 'state', 'attention'] as const),
] as const;

/** A query without the properties that Grafana adds to it. */
export type QueryParts = Pick<InsightsQuery, (typeof partNames)[number]>;

export const defaultFormat: Format = 'table';
export const defaultLane = 'machineId';
export const defaultState = 'activityLabel';
/** What can need attention; the first one by default. */
export const attentionGroups = ['activityLabel', 'machineId'];

/** Whether a format shows a measure: a number or a line for each group. */
export function showsMeasure(format: Format = defaultFormat): boolean {
  return format === 'numeric' || format === 'timeseries';
}

/** Whether a format decides what it shows, and in which order: the bars of a timeline, or what needs attention. */
export function hasOwnOrder(format: Format | undefined): boolean {
  return format === 'timeline' || format === 'attention';
}

/** Whether a query belongs to an alert rule or a recording rule. */
export function isRule(app: CoreApp | string | undefined): boolean {
  return app === CoreApp.UnifiedAlerting || app === CoreApp.CloudAlerting;
}

/**
 * Marks the query that Grafana has just created for a panel. A symbol survives copying, but not saving or sending, so a
 * saved query that contains just as little is not mistaken for a new one.
 */
const isNew = Symbol('new query of a panel');

interface New {
  [isNew]?: true;
}

/**
 * The initial query: rows. Rules start with newRule, and panels with newPanel, which the editor saves. Neither is a
 * default, because Grafana merges defaults into saved queries: the rule editor would show a filter or days that the
 * saved rule doesn't have, and a panel whose query contains at most its data set would change from a table to lines.
 */
export function defaultQuery(app?: CoreApp): Partial<QueryParts> & New {
  if (isRule(app)) {
    return {};
  }
  return app === CoreApp.PanelEditor ? { queryType: 'tasks', [isNew]: true } : { queryType: 'tasks' };
}

/** Whether Grafana created a query for a panel and nothing has been selected in it yet. */
export function isNewQuery(query: InsightsQuery & New): boolean {
  return query[isNew] === true && query.queryType === 'tasks' && isUntouched({ ...query, queryType: undefined });
}

/** Sets the initial content of a new query, which is then no longer new. */
export function withFirst(query: InsightsQuery & New, first: QueryParts): InsightsQuery {
  const { [isNew]: _, ...rest } = query;
  return withParts(rest, first);
}

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

/** Whether nothing has been selected in a query yet. */
export function isUntouched(query: InsightsQuery): boolean {
  return partNames.every((name) => isEmpty(query[name]));
}

/** Sets properties. An empty value removes a property, so that no default is ever saved. */
export function withParts(query: InsightsQuery, parts: Partial<QueryParts>): InsightsQuery {
  const result = { ...query, ...parts };
  for (const name of Object.keys(parts) as Array<keyof QueryParts>) {
    if (isEmpty(result[name])) {
      delete result[name];
    }
  }
  return result;
}

/** Whether a value is the same as an absent one. */
export function isEmpty(value: unknown): boolean {
  return value == null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Whether a text contains a dashboard variable, whose value is unknown here. */
export function isVariable(text: string | undefined): boolean {
  return /\$\w|\$\{|\[\[/.test(text ?? '');
}
