import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { goCount, goFailures, jestCount, playwrightCount, tapCount } from './counts.mjs';

const go = (...lines) => lines.map((line) => JSON.stringify(line)).join('\n');

describe('counting the reports of test runners', () => {
  test("jest: a file that doesn't load is a failure", () => {
    const report = { numPassedTests: 7, numFailedTests: 1, numRuntimeErrorTestSuites: 2 };
    assert.deepEqual(jestCount(JSON.stringify(report)), { passed: 7, failed: 3 });
  });

  test('node: the totals, including canceled tests', () => {
    assert.deepEqual(tapCount('ok 1 - a\n# tests 5\n# pass 3\n# fail 1\n# cancelled 1\n'), { passed: 3, failed: 2 });
  });

  test('playwright: unexpected results, and errors outside of tests', () => {
    const report = { stats: { expected: 4, flaky: 1, unexpected: 2, skipped: 3 }, errors: [{}] };
    assert.deepEqual(playwrightCount(JSON.stringify(report)), { passed: 5, failed: 3 });
  });

  test('go: tests without subtests', () => {
    const report = go(
      { Action: 'pass', Package: 'p', Test: 'TestA/one' },
      { Action: 'fail', Package: 'p', Test: 'TestA/two' },
      { Action: 'fail', Package: 'p', Test: 'TestA' },
      { Action: 'pass', Package: 'p', Test: 'TestB' },
      { Action: 'fail', Package: 'p' }
    );
    assert.deepEqual(goCount(report), { passed: 2, failed: 1 });
  });

  test('go: a package that fails outside of a test', () => {
    const report = go({ Action: 'pass', Package: 'p', Test: 'TestA' }, { Action: 'fail', Package: 'q' });
    assert.deepEqual(goCount(report), { passed: 1, failed: 1 });
  });

  test('go: the output of failed tests and builds', () => {
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
