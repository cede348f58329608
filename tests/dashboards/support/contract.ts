import {
  type DataSet,
  drawnMeasures,
  findDataSet,
  getDataSet,
  groupableFields,
  measures,
  namedFields,
} from '../../../datasets/datasets';
import type { GridPos, Panel, Query } from './types';

// Copied from the contract rather than imported from src: saved files outlive the code that reads them.
const properties: Record<string, (value: unknown, query: Query) => string | false> = {
  refId: (value) => typeof value !== 'string' && 'is not a text',
  datasource: () => false,
  queryType: (value) => !findDataSet(String(value)) && `is the unknown data set ${value}`,
  days: wholeNumber,
  search: (value) => typeof value !== 'string' && 'is not a text',
  sort: (value, query) => sortProblem(value, query),
  filters: (value, query) => firstOf(value, (filter) => filterProblem(filter, setOf(query))),
  format: (value, query) => unknownIn([value], formatsOf(setOf(query))),
  columns: (value, query) => (isTable(query) ? unknownIn(value, namesOf(setOf(query))) : 'is only for tables'),
  limit: wholeNumber,
  measure: (value, query) =>
    hasMeasure(query) ? unknownIn([value], measuresOf(query).map(nameOf)) : 'is only for numbers and lines',
  groupBy: (value, query) =>
    isTable(query) ? 'is not for tables' : unknownIn(value, groupableFields(setOf(query)).map(nameOf)),
  state: (value, query) =>
    query.format === 'timeline'
      ? unknownIn([value], groupableFields(setOf(query)).map(nameOf))
      : 'is only for timelines',
  compare: (value, query) =>
    hasMeasure(query)
      ? unknownIn([value], ['previous', 'day', 'week', 'month', 'year'])
      : 'is only for numbers and lines',
  per: (value, query) =>
    query.format === 'timeseries'
      ? !isVariable(value) && unknownIn([value], ['auto', 'hour', 'day', 'week', 'month'])
      : 'is only for lines',
  timeField: (value, query) => unknownIn([value], setOf(query).timeFields ?? []),
};

const listOperators = ['=|', '!=|'];
const textOperators = ['=', '!=', '=~', '!~', '<', '<=', '>', '>='];

/** What in a saved query violates the contract; undefined if it is valid. */
export function problemsOf(query: Query): string[] {
  const found = Object.entries(query).flatMap(([name, value]) => {
    const problem = name in properties ? properties[name](value, query) : 'is not a property of a saved query';
    return problem ? [`${name} ${problem}`] : [];
  });
  if (hasMeasure(query) && query.measure === undefined) {
    found.push('measure is missing');
  }
  return found;
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
      return [...labelsOf(query), String(query.measure)];
    case 'timeline':
      return ['start', 'end', 'state'];
    case 'timeseries':
      return ['time', String(query.measure)];
    default:
      return (query.columns as string[] | undefined) ?? setOf(query).fields.map(nameOf);
  }
}

function isTable(query: Query): boolean {
  return query.format === undefined || query.format === 'table';
}

function hasMeasure({ format }: Query): boolean {
  return format === 'numeric' || format === 'timeseries';
}

/** Only tasks say when they ran. */
function formatsOf({ timeFields }: DataSet): string[] {
  return ['table', 'timeseries', 'numeric', ...(timeFields ? ['timeline'] : [])];
}

function setOf(query: Query): DataSet {
  return getDataSet(query.queryType as string | undefined);
}

function nameOf({ name }: { name: string }): string {
  return name;
}

function wholeNumber(value: unknown): string | false {
  return !(Number.isInteger(value) && Number(value) >= 1) && `is ${value}; it must be a whole number of at least 1`;
}

function firstOf(list: unknown, problem: (value: unknown) => string | false): string | false {
  return Array.isArray(list) ? (list.map(problem).find(Boolean) ?? false) : 'is not a list';
}

function unknownIn(list: unknown, allowed: string[]): string | false {
  return firstOf(list, (value) => !allowed.includes(String(value)) && `has ${value}, which is not one of ${allowed}`);
}

/** Rows, also those of a timeline, can be sorted by any field, other formats by the numbers and labels that they show. */
function sortProblem(value: unknown, query: Query): string | false {
  const { field, order } = value as { field?: unknown; order?: unknown };
  if (order !== 'asc' && order !== 'desc') {
    return `has the unknown order ${order}`;
  }
  return unknownIn([field], hasMeasure(query) ? [...answeredFields(query), ...labelsOf(query)] : namesOf(setOf(query)));
}

function filterProblem(filter: unknown, dataSet: DataSet): string | false {
  const { key, operator, value, values, ...more } = filter as Record<string, unknown>;
  const field = namedFields(dataSet).find(({ name }) => name === key);
  if (!field) {
    return `filter the unknown field ${key}`;
  }
  if (Object.keys(more).length > 0) {
    return `have ${Object.keys(more)} in the filter on ${key}`;
  }
  const isList = listOperators.includes(String(operator));
  if (!isList && !textOperators.includes(String(operator))) {
    return `have the unknown operator ${operator}`;
  }
  if (isList ? !isTexts(values) || value !== undefined : typeof value !== 'string' || values !== undefined) {
    return `${operator} on ${key} has the wrong kind of value`;
  }
  const isNumber = field.type === 'number' || field.type === 'integer';
  return (
    isNumber &&
    !isList &&
    !isVariable(value) &&
    Number.isNaN(Number(value)) &&
    `compare the number ${key} with ${value}`
  );
}

function namesOf(dataSet: DataSet): string[] {
  return namedFields(dataSet).map(nameOf);
}

/** A dashboard's variable, whose value is unknown here. */
function isVariable(value: unknown): boolean {
  return /^\$\{\w+\}$/.test(String(value));
}

function isTexts(values: unknown): boolean {
  return Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string');
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

function overlap(a: GridPos, b: GridPos): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

function name({ id, title }: Panel): string {
  return title ?? `panel ${id}`;
}
