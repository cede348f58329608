import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  Bool,
  Binary,
  Field,
  Float64,
  makeData,
  makeVector,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  TimestampNanosecond,
  vectorFromArray,
  type DataType,
  type Vector,
} from 'apache-arrow';
import { frameJson } from './frames';

interface Column {
  name: string;
  vector: Vector;
  metadata?: Record<string, string>;
  nullable?: boolean;
}

/** Serializes a frame as the SDK does: an Arrow file with JSON in its metadata. */
function arrowFile(columns: Column[], metadata: Record<string, string> = {}): Uint8Array {
  const fields = columns.map(
    ({ name, vector, metadata: own = {}, nullable = true }) =>
      new Field<DataType>(name, vector.type, nullable, new Map(Object.entries(own)))
  );
  const children = columns.map(({ vector }) => vector.data[0]);
  const schema = new Schema(fields, new Map(Object.entries(metadata)));
  const data = makeData({ type: new Struct(fields), length: children[0].length, nullCount: 0, children });
  return RecordBatchFileWriter.writeAll([new RecordBatch(schema, data)]).toUint8Array(true);
}

describe('Arrow frames as JSON', () => {
  test('numbers: null stays null, and a number that JSON has no literal for is an error', () => {
    const frameOf = (...cells: Array<number | null>) =>
      frameJson(arrowFile([{ name: 'n', vector: vectorFromArray(cells, new Float64()) }]));
    assert.deepEqual(frameOf(1.5, null).data.values, [[1.5, null]]);
    assert.throws(() => frameOf(1, NaN), /NaN/);
  });

  test('times: milliseconds', () => {
    const data = BigInt64Array.of(BigInt('1000000000123456789'), BigInt(0), BigInt(0));
    // Bits from the right: the second is null.
    const nulls = { nullCount: 1, nullBitmap: Uint8Array.of(0b101) };
    const vector = makeVector(makeData({ type: new TimestampNanosecond(), length: 3, data, ...nulls }));
    const frame = frameJson(arrowFile([{ name: 't', vector, metadata: { tstype: 'time' } }]));
    assert.deepEqual(frame.schema.fields[0].typeInfo, { frame: 'time.Time', nullable: true });
    assert.deepEqual(frame.data.values, [[1_000_000_000_123, null, 0]]);
  });

  test('other types, and the metadata of a frame', () => {
    const nested = vectorFromArray([new TextEncoder().encode('{"a":[1]}'), null], new Binary());
    const flags = vectorFromArray([true, false], new Bool());
    const frame = frameJson(
      arrowFile(
        [
          { name: 'j', vector: nested, metadata: { tstype: 'other', config: '{"unit":"short"}' } },
          { name: 'b', vector: flags, metadata: { tstype: 'boolean' }, nullable: false },
        ],
        { name: 'tasks', refId: 'A', meta: '{"type":"table"}' }
      )
    );
    assert.deepEqual(frame.data.values, [
      [{ a: [1] }, null],
      [true, false],
    ]);
    assert.deepEqual(frame.schema.fields[0].config, { unit: 'short' });
    assert.deepEqual(frame.schema.fields[1].typeInfo, { frame: 'bool' });
    assert.deepEqual([frame.schema.name, frame.schema.refId, frame.schema.meta], ['tasks', 'A', { type: 'table' }]);
  });
});
