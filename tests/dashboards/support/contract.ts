import {
  type DataSet,
  drawnMeasures,
  getDataSet,
  groupableFields,
  measures,
  namedFields,
} from '../../../schema/datasets';
import type { Panel } from '../../../dashboards/parts';
import type { Query } from './types';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 1;
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const oneOf =
  (...allowed: string[]): Check =>
  (value) =>
    allowed.includes(String(value));
const oneOfOrVariable =
  (...allowed: string[]): Check =>
  (value) =>
    allowed.includes(String(value)) || String(value).startsWith('$');
const isFilter: Check = (value) => {
  const { key, operator, value: one, values, ...others } = value as Record<string, unknown>;
  const isOperator = oneOf('=', '!=', '=~', '!~', '=|', '!=|', '<', '<=', '>', '>=')(operator);
  return isText(key) && isOperator && (isText(one) || isTexts(values)) && Object.keys(others).length === 0;
};
const isSort: Check = (value) => {
  const { field, order } = value as Record<string, unknown>;
  return isText(field) && oneOf('asc', 'desc')(order);
};

/** What each property of a saved query may be. Names of fields and measures are checked for the data set. */
const properties: Record<string, Check> = {
  queryType: oneOf('tasks', 'automations', 'runners'),
  days: isCount,
  search: isText,
  sort: isSort,
  filters: (value) => Array.isArray(value) && value.every(isFilter),
  format: oneOf('table', 'timeseries', 'numeric', 'timeline', 'attention'),
  columns: isTexts,
  limit: isCount,
  measure: isText,
  groupBy: isTexts,
  compare: oneOfOrVariable('previous', 'day', 'week', 'month', 'year'),
  per: oneOfOrVariable('auto', 'hour', 'day', 'week', 'month'),
  timezone: isText,
  state: isText,
  timeField: oneOf('dateCreation', 'dateStartRunning', 'dateLastModified'),
};

/** What is wrong with a saved query. */
export function problemsOf({ refId: _, datasource: __, ...query }: Query): string[] {
  const wrong = Object.entries(query)
    .filter(([name, value]) => !properties[name]?.(value))
    .map(([name, value]) => `${name} is ${JSON.stringify(value)}`);
  const needsMeasure = query.format === 'numeric' || query.format === 'timeseries';
  const missing = needsMeasure && query.measure === undefined ? ['measure is missing'] : [];
  return wrong.length > 0 ? wrong : [...missing, ...unknownNames(query)];
}

/** Names of fields and measures that the data set doesn't have, or not in this format. */
function unknownNames(query: Query): string[] {
  const fields = namedFields(setOf(query)).map(nameOf);
  const {
    sort,
    measure,
    filters = [],
    columns = [],
  } = query as {
    sort?: { field: string };
    measure?: string;
    filters?: Array<{ key: string }>;
    columns?: string[];
  };
  const unknown = (names: string[], allowed: string[], part: string) =>
    names.filter((name) => !allowed.includes(name)).map((name) => `${part} has ${name}`);
  const sorted = isTable(query) ? fields : [...answeredFields(query), ...labelsOf(query)];
  return [
    ...unknown(sort ? [sort.field] : [], sorted, 'sort'),
    ...unknown(
      filters.map(({ key }) => key),
      fields,
      'filters'
    ),
    ...unknown(columns, isTable(query) ? fields : [], 'columns'),
    ...unknown(labelsOf(query), isTable(query) ? [] : groupableFields(setOf(query)).map(nameOf), 'groupBy'),
    ...unknown(measure ? [measure] : [], isTable(query) ? [] : measuresOf(query).map(nameOf), 'measure'),
  ];
}

function labelsOf(query: Query): string[] {
  return (query.groupBy ?? []) as string[];
}

function measuresOf(query: Query) {
  return query.format === 'timeseries' ? drawnMeasures(setOf(query)) : measures(setOf(query));
}

/** The fields of the frame that a query returns. */
export function answeredFields(query: Query): string[] {
  switch (query.format) {
    case 'numeric':
      return [...labelsOf(query), String(query.measure), ...(query.compare ? ['before', 'change', 'time'] : [])];
    case 'timeseries':
      return ['time', String(query.measure)];
    case 'attention':
      return ['activityLabel', 'why', 'severity', 'since', 'machineId', 'id'];
    default:
      return (query.columns as string[] | undefined) ?? setOf(query).fields.map(nameOf);
  }
}

function isTable(query: Query): boolean {
  return query.format === undefined || query.format === 'table';
}

function setOf(query: Query): DataSet {
  return getDataSet(query.queryType as string | undefined);
}

function nameOf({ name }: { name: string }): string {
  return name;
}

/** Columns of Grafana's grid. */
const COLUMNS = 24;

/** The titles of pairs of panels that overlap, and of panels that exceed the grid. */
export function misplaced(panels: Panel[]): string[] {
  const outside = panels.filter(({ gridPos: { x, y, w, h } }) => x < 0 || y < 0 || w < 1 || h < 1 || x + w > COLUMNS);
  const overlaps = panels.flatMap((one, index) =>
    panels.slice(index + 1).flatMap((other) => (overlap(one.gridPos, other.gridPos) ? [[one, other]] : []))
  );
  return [...outside.map(name), ...overlaps.map(([one, other]) => `${name(one)} and ${name(other)}`)];
}

function overlap(a: Panel['gridPos'], b: Panel['gridPos']): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

function name({ id, title }: Panel): string {
  return title || `panel ${id}`;
}
