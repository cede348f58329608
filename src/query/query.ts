import { type CoreApp } from '@grafana/data';
import { type DataQuery } from '@grafana/schema';

import { type DataSetName } from '../../schema/datasets';

/** How rows are converted to a frame. */
export type Format = 'table' | 'timeseries' | 'numeric' | 'timeline' | 'attention' | 'deadlines';

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
export const isMultiValue = (operator: string | undefined): boolean => operator === '=|' || operator === '!=|';

/** The values of a filter, wherever they are. */
export function operandsOf({ value, values }: Partial<Filter>): string[] {
  return values ?? (value === undefined ? [] : [value]);
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
export const comparisons = ['previous', 'hour', 'day', 'week', 'month', 'year'] as const;
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
  /** The number of each group. */
  measure?: string;
  /** Several numbers of each group in its place: measures or their aspects, such as tasks.change or savings.margin. */
  measures?: string[];
  /** Numbers that are listed: a last row has those of all groups together. */
  total?: boolean;
  /** Fields that become labels; timeline: the lanes, machineId when absent; attention: activityLabel when absent. */
  groupBy?: string[];
  /** Rows with times: the first of the data set's time fields when absent. */
  timeField?: string;
  /** An earlier period to compare with; numbers and lines. */
  compare?: Compare;
  /** Lines: a point for each hour, day, week, or month; auto when absent. */
  per?: Per;
  /** IANA name; the dashboard's when absent, UTC in a rule. */
  timezone?: string;
  /** Attention: what is judged; everything, with the usual sensitivity, when absent. */
  attention?: Attention;
  /** Timeline: the field that names and colors a bar; activityLabel when absent. */
  state?: string;
}

/** What needs attention: besides its own properties, reasons that are off, by name. */
export interface Attention {
  /** One of fewer, usual, more; usual when absent. */
  sensitivity?: string;
  /** Automations or runners that are never shown. */
  ignore?: string[];
  /** By runner: a row for each one, with what it does. */
  all?: boolean;
  /** 0: the reason is off. */
  [reason: string]: number | string | string[] | boolean | undefined;
}

/** A query for the distinct values of a field. */
export interface InsightsVariableQuery extends DataQuery {
  queryType?: DataSetName;
  field?: string;
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

/** A query without the properties that Grafana adds to it. */
export type QueryParts = Omit<InsightsQuery, 'refId' | 'hide' | 'key' | 'datasource'>;

export const defaultFormat: Format = 'table';
export const defaultLane = 'machineId';
export const defaultState = 'activityLabel';
/** What can need attention; the first one by default. */
export const attentionGroups = ['activityLabel', 'machineId'];

/** Whether a format shows a measure: a number or a line for each group. */
export function showsMeasure(format: Format = defaultFormat): boolean {
  return format === 'numeric' || format === 'timeseries';
}

/** What a comparison says of a measure: tasks.before, tasks.change (a fraction); and how far off a sum of days may be. */
export const aspects = ['before', 'change', 'difference', 'margin'] as const;
export type Aspect = (typeof aspects)[number];

/** The measure and the aspect of a number. */
export function splitMeasure(name: string): { measure: string; aspect?: Aspect } {
  const [measure, aspect] = name.split('.');
  return aspects.some((each) => each === aspect) ? { measure, aspect: aspect as Aspect } : { measure: name };
}

/** The numbers of each group: one is saved as `measure`, as it always was, several as `measures`. */
export function measuresOf({ measure, measures = [] }: InsightsQuery): string[] {
  return measures.length === 0 && measure ? [measure] : measures;
}

/** {@link measuresOf} as they are saved. */
export function asMeasures(names: string[]): Pick<InsightsQuery, 'measure' | 'measures'> {
  return names.length > 1 ? { measure: undefined, measures: names } : { measure: names[0], measures: undefined };
}

/** Whether a format decides what it shows, and in which order: the bars of a timeline, what needs attention, or is due. */
export function hasOwnOrder(format: Format | undefined): boolean {
  return format === 'timeline' || format === 'attention' || format === 'deadlines';
}

// Not the enum's own: this module is also read where there is no browser.
const ruleApps: Array<`${CoreApp}`> = ['unified-alerting', 'cloud-alerting'];

/** Whether a query belongs to an alert rule or a recording rule. */
export function isRule(app: CoreApp | string | undefined): boolean {
  return ruleApps.some((each) => each === app);
}

/**
 * The columns of a new table of tasks: what people look at first, where a narrow panel shows it, and the ID last. Without
 * columns, a saved table has all fields in the order of the specification.
 */
export const taskColumns = [
  ...['activityLabel', 'dateCreation', 'duration', 'machineId', 'state', 'finishStatus', 'totalItems', 'failedItems'],
  'id',
];

/** Sets properties. An empty value removes a property, so that no default is ever saved. */
export function withParts<Q extends DataQuery>(query: Q, parts: Partial<NoInfer<Q>>): Q {
  const result = { ...query, ...parts };
  for (const name of Object.keys(parts) as Array<keyof Q>) {
    if (isEmpty(result[name])) {
      delete result[name];
    }
  }
  return result;
}

/** A saved value as a text, whatever it is. */
export function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

/** Whether a value is the same as an absent one. */
export function isEmpty(value: unknown): boolean {
  return value == null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Whether a text contains a dashboard variable, whose value is unknown here. */
export const isVariable = (text: string | undefined): boolean => /\$\w|\$\{|\[\[/.test(text ?? '');
