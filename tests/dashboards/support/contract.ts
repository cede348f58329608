import {
  type DataSet,
  drawnMeasures,
  getDataSet,
  groupableFields,
  measures,
  namedFields,
} from '../../../datasets/datasets';
import schema from '../../../src/schema/v0alpha1.json';
import type { GridPos, Panel, Query } from './types';

/** The part of JSON Schema that the plugin's schema uses. */
interface Schema {
  type?: string;
  enum?: unknown[];
  minimum?: number;
  pattern?: string;
  uniqueItems?: boolean;
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
  required?: string[];
  anyOf?: Schema[];
}

const schemas = new Map(schema.queryTypes.items.map(({ metadata, spec }) => [metadata.name, spec.schema as Schema]));

/** What violates the schema that the plugin ships. */
function violations(value: unknown, is: Schema, where: string): string[] {
  const type = Number.isInteger(value) ? 'integer' : Array.isArray(value) ? 'array' : typeof value;
  const found = [
    is.type && is.type !== type && 'has another type',
    is.enum && !is.enum.includes(value) && `is ${value}`,
    is.minimum !== undefined && Number(value) < is.minimum && `is ${value}`,
    is.pattern && !new RegExp(is.pattern).test(String(value)) && `is ${value}`,
    is.anyOf && is.anyOf.every((one) => violations(value, one, where).length > 0) && 'is not allowed',
  ].flatMap((problem) => (problem ? [`${where} ${problem}`] : []));
  if (is.items && Array.isArray(value)) {
    const { items } = is;
    found.push(...value.flatMap((item) => violations(item, items, where)));
  }
  if (type === 'object') {
    const members = value as Record<string, unknown>;
    const { properties = {} } = is;
    found.push(...(is.required ?? []).filter((name) => !(name in members)).map((name) => `${name} is missing`));
    for (const [name, member] of Object.entries(members)) {
      const known = properties[name];
      found.push(
        ...(known ? violations(member, known, name) : is.additionalProperties === false ? [`${name} is unknown`] : [])
      );
    }
  }
  return found;
}

/** What is wrong with a saved query; the schema leaves its fields open, because the service may add some. */
export function problemsOf({ refId: _, datasource: __, ...query }: Query): string[] {
  const is = schemas.get(String(query.queryType ?? 'tasks'));
  return is ? [...violations(query, is, 'query'), ...unknownNames(query)] : [`queryType is ${query.queryType}`];
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
      return [...labelsOf(query), String(query.measure)];
    case 'timeseries':
      return ['time', String(query.measure)];
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

function overlap(a: GridPos, b: GridPos): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

function name({ id, title }: Panel): string {
  return title ?? `panel ${id}`;
}
