import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { goCount, goFailures } from './counts.mjs';

const go = (...lines) => lines.map((line) => JSON.stringify(line)).join('\n');

describe('counting the report of go test', () => {
  test('tests without subtests', () => {
    const report = go(
      { Action: 'pass', Package: 'p', Test: 'TestA/one' },
      { Action: 'fail', Package: 'p', Test: 'TestA/two' },
      { Action: 'fail', Package: 'p', Test: 'TestA' },
      { Action: 'pass', Package: 'p', Test: 'TestB' },
      { Action: 'fail', Package: 'p' }
    );
    assert.deepEqual(goCount(report), { passed: 2, failed: 1 });
  });

  test('a package that fails outside of a test', () => {
    const report = go({ Action: 'pass', Package: 'p', Test: 'TestA' }, { Action: 'fail', Package: 'q' });
    assert.deepEqual(goCount(report), { passed: 1, failed: 1 });
  });

  test('the output of failed tests and builds', () => {
    const report = go(
      { Action: 'output', Package: 'p', Test: 'TestA', Output: 'fine\n' },
      { Action: 'pass', Package: 'p', Test: 'TestA' },
      { Action: 'output', Package: 'p', Test: 'TestB', Output: 'broken\n' },
      { Action: 'fail', Package: 'p', Test: 'TestB' },
      { Action: 'build-output', ImportPath: 'q', Output: 'undefined: x\n' }
    );
    assert.equal(goFailures(report), 'broken\nundefined: x\n');
  });
});
