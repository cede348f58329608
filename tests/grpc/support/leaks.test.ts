import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forms, leaks } from './leaks';

const secret = 'Kq7/Zt=9"Wp+3\\Xv<5é8mR2/bN=4yH';

describe('finding secrets', () => {
  for (const { name, write } of forms) {
    test(`finds a ${name}, whole, in part, and in a log line`, () => {
      const text = `the key ${write(secret)} is not welcome`;
      assert.ok(leaks(text, [secret]));
      assert.ok(leaks(JSON.stringify({ msg: text }), [secret]));
      assert.ok(leaks(`the key ${write(secret.slice(0, 12))}…`, [secret]));
      assert.ok(leaks(`${write(secret.slice(15))} is not welcome`, [secret]));
    });
  }

  test('finds none if there is none', () => {
    assert.ok(!leaks('the key [secret] is not welcome: Kq7/Zt… %4B &#75; \\u004b', [secret]));
  });
});
