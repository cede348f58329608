import type { FieldType } from '@grafana/data';
import { RecordBatchReader, Type, Vector, type Data, type Field } from 'apache-arrow';
import type { QueryResult } from './wire';

/** The schema of a field in Grafana's data frame JSON. */
export interface FieldSchema {
  name: string;
  type: `${FieldType}`;
  typeInfo: { frame: string; nullable?: true };
  labels?: Record<string, string>;
  config?: Record<string, unknown>;
}

/** Positions of the numbers that JSON has no literal for. */
export interface Entities {
  NaN?: number[];
  Inf?: number[];
  NegInf?: number[];
}

/** A data frame as Grafana sends it to the browser. */
export interface FrameJson {
  schema: { name?: string; refId?: string; meta?: Record<string, unknown>; fields: FieldSchema[] };
  data: { values: unknown[][]; entities?: Array<Entities | null>; nanos?: Array<number[] | null> };
}

const decoder = new TextDecoder();
const nsPerMs = BigInt(1_000_000);

const json = (text: string | undefined) => (text === undefined ? undefined : JSON.parse(text));

function goType(field: Field): string {
  switch (field.typeId) {
    case Type.Timestamp:
      return 'time.Time';
    case Type.Binary:
      return 'json.RawMessage';
    case Type.Utf8:
      return 'string';
    default:
      return field.metadata.get('tstype') === 'enum' ? 'enum' : String(field.type).toLowerCase();
  }
}

function fieldSchema(field: Field): FieldSchema {
  return {
    name: field.name,
    type: (field.metadata.get('tstype') ?? 'other') as FieldSchema['type'],
    typeInfo: { frame: goType(field), ...(field.nullable && { nullable: true }) },
    labels: json(field.metadata.get('labels')),
    config: json(field.metadata.get('config')),
  };
}

interface Column {
  values: unknown[];
  entities: Entities | null;
  nanos: number[] | null;
}

function entityOf(value: number): keyof Entities | undefined {
  if (Number.isFinite(value)) {
    return undefined;
  }
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Inf' : 'NegInf';
}

function numberColumn(cells: Array<number | bigint | null>): Column {
  const entities: Entities = {};
  const values = cells.map((cell, row) => {
    const value = cell === null ? null : Number(cell);
    const entity = value === null ? undefined : entityOf(value);
    if (entity === undefined) {
      return value;
    }
    (entities[entity] ??= []).push(row);
    return null;
  });
  return { values, entities: Object.keys(entities).length > 0 ? entities : null, nanos: null };
}

// Arrow's own getter turns nanoseconds into a float of milliseconds; the raw integers are exact.
function timeColumn(chunks: readonly Data[]): Column {
  const raw = chunks.flatMap((chunk) =>
    Array.from({ length: chunk.length }, (_, row): bigint | null => (chunk.getValid(row) ? chunk.values[row] : null))
  );
  const nanos = raw.map((ns) => Number((((ns ?? BigInt(0)) % nsPerMs) + nsPerMs) % nsPerMs));
  return {
    values: raw.map((ns, row) => (ns === null ? null : Number((ns - BigInt(nanos[row])) / nsPerMs))),
    entities: null,
    nanos: nanos.some((ns) => ns !== 0) ? nanos : null,
  };
}

function column(field: Field, chunks: Data[]): Column {
  const cells = chunks.flatMap((chunk) => Array.from(new Vector([chunk])));
  switch (field.typeId) {
    case Type.Timestamp:
      return timeColumn(chunks);
    case Type.Int:
    case Type.Float:
      return numberColumn(cells);
    case Type.Binary:
      return {
        values: cells.map((cell: Uint8Array | null) => (cell === null ? null : JSON.parse(decoder.decode(cell)))),
        entities: null,
        nanos: null,
      };
    default:
      return { values: cells, entities: null, nanos: null };
  }
}

/** Converts an Arrow frame of the SDK to the JSON that Grafana's frontend reads. */
export function frameJson(arrow: Uint8Array): FrameJson {
  // Batch by batch: Arrow's own table merges fields with the same name, and every series is named after its measure.
  const reader = RecordBatchReader.from(arrow).open();
  // In this order: a reader at its end is closed and no longer has its schema.
  const { fields, metadata } = reader.schema;
  const batches = [...reader];
  const columns = fields.map((field, index) =>
    column(
      field,
      batches.map((batch) => batch.data.children[index])
    )
  );
  return {
    schema: {
      name: metadata.get('name') || undefined,
      refId: metadata.get('refId') || undefined,
      meta: json(metadata.get('meta')),
      fields: fields.map(fieldSchema),
    },
    data: {
      values: columns.map(({ values }) => values),
      ...(columns.some(({ entities }) => entities) && { entities: columns.map(({ entities }) => entities) }),
      ...(columns.some(({ nanos }) => nanos) && { nanos: columns.map(({ nanos }) => nanos) }),
    },
  };
}

/** The response to a query as `/api/ds/query` sends it. */
export interface ResultJson {
  status: number;
  frames: FrameJson[];
  error?: string;
  errorSource?: string;
}

/** The responses to all queries of a request, by refId. */
export function resultsJson(responses: Record<string, QueryResult>): Record<string, ResultJson> {
  const result = ({ status, error, errorSource, frames }: QueryResult): ResultJson => ({
    status: status || (error ? 500 : 200),
    ...(error && { error, errorSource }),
    frames: frames.map(frameJson),
  });
  return Object.fromEntries(Object.entries(responses).map(([refId, response]) => [refId, result(response)]));
}
