import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startProcess, targetOf } from './process';

const ignore = () => undefined;

describe('starting the backend', () => {
  test('accepts a handshake over a socket and over a port', () => {
    assert.equal(targetOf('1|2|unix|/tmp/plugin1|grpc|'), 'unix:/tmp/plugin1');
    assert.equal(targetOf('1|2|tcp|127.0.0.1:10000|grpc|'), '127.0.0.1:10000');
  });

  for (const line of ['hello', '1|1|unix|/tmp/plugin1|grpc|']) {
    test(`rejects "${line}" as a handshake`, () => {
      assert.throws(() => targetOf(line), /handshake/);
    });
  }

  test('reports a missing binary', async () => {
    await assert.rejects(startProcess('/no/such/binary', ignore), /\/no\/such\/binary failed to start/);
  });

  test('reports a program that exits without a handshake', async () => {
    await assert.rejects(startProcess('/bin/false', ignore), /exited before its handshake \(1\)/);
  });
});
