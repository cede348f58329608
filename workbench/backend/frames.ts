import type { FieldType } from '@grafana/data';
import { RecordBatchReader, Type, Vector, type Data, type Field } from 'apache-arrow';
import type { QueryResult } from './wire';

/** The schema of a field in Grafana's data frame JSON. */
export interface FieldSchema {
  name: string;
  type: `${FieldType}`;
  typeInfo: { frame: string; nullable?: true };
  labels?: Record<string, string>;
  config?: { displayNameFromDS?: string };
}

/** What a frame says about itself, as far as tests use it. */
interface FrameMeta {
  type?: string;
  executedQueryString?: string;
  notices?: Array<{ severity: string; text: string }>;
  stats?: Array<{ displayName: string; value: number }>;
  custom?: Record<string, unknown>;
}

/** A data frame as Grafana sends it to the browser. */
export interface FrameJson {
  schema: { name?: string; refId?: string; meta?: FrameMeta; fields: FieldSchema[] };
  data: { values: unknown[][] };
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

/** A number as JSON has it. The plugin sends null where there is none, so another literal is a mistake of its own. */
function numberOf(cell: number | bigint | null): number | null {
  if (cell !== null && !Number.isFinite(Number(cell))) {
    throw new Error(`a frame contains ${cell}`);
  }
  return cell === null ? null : Number(cell);
}

// Arrow's own getter turns nanoseconds into a float of milliseconds; the raw integers are exact.
function timesOf(chunk: Data): Array<number | null> {
  return Array.from({ length: chunk.length }, (_, row) =>
    chunk.getValid(row) ? Number((chunk.values[row] as bigint) / nsPerMs) : null
  );
}

function column(field: Field, chunks: Data[]): unknown[] {
  const cells = chunks.flatMap((chunk) => Array.from(new Vector([chunk])));
  switch (field.typeId) {
    case Type.Timestamp:
      return chunks.flatMap(timesOf);
    case Type.Int:
    case Type.Float:
      return cells.map(numberOf);
    case Type.Binary:
      return cells.map((cell: Uint8Array | null) => (cell === null ? null : JSON.parse(decoder.decode(cell))));
    default:
      return cells;
  }
}

/** Converts an Arrow frame of the SDK to the JSON that Grafana's frontend reads. */
export function frameJson(arrow: Uint8Array): FrameJson {
  // Batch by batch: Arrow's own table merges fields with the same name, and every series is named after its measure.
  const reader = RecordBatchReader.from(arrow).open();
  // In this order: a reader at its end is closed and no longer has its schema.
  const { fields, metadata } = reader.schema;
  const batches = [...reader];
  const values = fields.map((field, index) =>
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
    data: { values },
  };
}

/** The values of a field by name; none if the frame has no such field. */
export function valuesOf({ schema, data }: FrameJson, name: string): unknown[] {
  return data.values[schema.fields.findIndex((field) => field.name === name)] ?? [];
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
