import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startProcess, targetOf } from './process';

const ignore = () => undefined;

describe('start of the backend', () => {
  test('a handshake over a socket, and one over a port', () => {
    assert.equal(targetOf('1|2|unix|/tmp/plugin1|grpc|'), 'unix:/tmp/plugin1');
    assert.equal(targetOf('1|2|tcp|127.0.0.1:10000|grpc|'), '127.0.0.1:10000');
  });

  for (const line of ['', 'hello', '1|1|unix|/tmp/plugin1|grpc|', '1|2|unix|/tmp/plugin1|netrpc|']) {
    test(`"${line}" is no handshake`, () => {
      assert.throws(() => targetOf(line), /handshake/);
    });
  }

  test('a binary that is not there', async () => {
    await assert.rejects(startProcess('/no/such/binary', ignore), /\/no\/such\/binary cannot be started/);
  });

  test('a program that ends without a handshake', async () => {
    await assert.rejects(startProcess('/bin/false', ignore), /ended before its handshake \(1\)/);
  });
});
