import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
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

/** Serializes a frame with a column as the SDK does: an Arrow file with texts in its metadata. */
function arrowFile(name: string, vector: Vector, metadata: Record<string, string> = {}): Uint8Array {
  const fields = [new Field<DataType>(name, vector.type, true, new Map(Object.entries(metadata)))];
  const schema = new Schema(fields);
  const data = makeData({ type: new Struct(fields), length: vector.length, nullCount: 0, children: [vector.data[0]] });
  return RecordBatchFileWriter.writeAll([new RecordBatch(schema, data)]).toUint8Array(true);
}

// What else frames contain, the tests over gRPC read.

describe('Arrow frames as JSON', () => {
  test('numbers: null stays null, and a number that JSON has no literal for is an error', () => {
    const frameOf = (...cells: Array<number | null>) =>
      frameJson(arrowFile('n', vectorFromArray(cells, new Float64())));
    assert.deepEqual(frameOf(1.5, null).data.values, [[1.5, null]]);
    assert.throws(() => frameOf(1, NaN), /NaN/);
  });

  test('times: milliseconds', () => {
    const data = BigInt64Array.of(BigInt('1000000000123456789'), BigInt(0), BigInt(0));
    // Bits from the right: the second is null.
    const nulls = { nullCount: 1, nullBitmap: Uint8Array.of(0b101) };
    const vector = makeVector(makeData({ type: new TimestampNanosecond(), length: 3, data, ...nulls }));
    const frame = frameJson(arrowFile('t', vector, { tstype: 'time' }));
    assert.deepEqual(frame.schema.fields[0].typeInfo, { frame: 'time.Time', nullable: true });
    assert.deepEqual(frame.data.values, [[1_000_000_000_123, null, 0]]);
  });
});
