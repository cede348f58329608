import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fuzzTargets, goOutcome } from './fuzz.mjs';

const quiet = `fuzz: elapsed: 0s, gathering baseline coverage: 0/192 completed
fuzz: elapsed: 1s, gathering baseline coverage: 192/192 completed, now fuzzing with 2 workers
fuzz: elapsed: 3s, execs: 41 (13/sec), new interesting: 1 (total: 193)
fuzz: elapsed: 1m3s, execs: 325017 (108336/sec), new interesting: 11 (total: 202)
PASS
`;

const failing = `fuzz: elapsed: 0s, gathering baseline coverage: 0/2 completed
fuzz: elapsed: 2s, execs: 77 (38/sec), new interesting: 0 (total: 2)
--- FAIL: FuzzDates (2.10s)
    --- FAIL: FuzzDates (0.00s)
        fuzz_test.go:12: wrong

    Failing input written to testdata/fuzz/FuzzDates/582528ddfad69eb5
    To re-run:
    go test -run=FuzzDates/582528ddfad69eb5
FAIL
`;

describe('parsing the output of fuzz runs', () => {
  test('targets belong to the package whose line follows', () => {
    const listed = `?   \texample.com/a/pkg\t[no test files]
FuzzOne
FuzzTwo
ok  \texample.com/a/pkg/frame\t0.1s
ok  \texample.com/a/pkg/columns\t0.1s
FuzzThree
ok  \texample.com/a/pkg/plugin\t0.1s
`;
    assert.deepEqual(fuzzTargets(listed, 'example.com/a'), [
      { folder: './pkg/frame', name: 'FuzzOne' },
      { folder: './pkg/frame', name: 'FuzzTwo' },
      { folder: './pkg/plugin', name: 'FuzzThree' },
    ]);
  });

  test('executions are taken from the last line of progress', () => {
    assert.deepEqual(goOutcome(0, quiet, './pkg/frame'), { executions: 325017, findings: [] });
  });

  test('a failing input is identified by its path', () => {
    assert.deepEqual(goOutcome(1, failing, './pkg/pages'), {
      executions: 77,
      findings: ['fails with ./pkg/pages/testdata/fuzz/FuzzDates/582528ddfad69eb5'],
    });
  });

  test('a stored input that still fails is identified by its path, and a seed in the code by its number', () => {
    const [kept, seed] = ['FuzzDates/582528ddfad69eb5', 'FuzzDates/seed#3'].map(
      (name) => goOutcome(1, `failure while testing seed corpus entry: ${name}\n`, './pkg/pages').findings[0]
    );
    assert.equal(kept, 'fails with ./pkg/pages/testdata/fuzz/FuzzDates/582528ddfad69eb5');
    assert.equal(seed, 'fails with the seed FuzzDates/seed#3 of ./pkg/pages');
  });

  test("a run that fails without an input is a finding, such as a package that doesn't build", () => {
    assert.deepEqual(goOutcome(1, 'undefined: x', './pkg/pages').findings, ['failed without an input']);
  });

  test('reaching the time limit is not a finding, although Go sometimes reports it as one', () => {
    const ended = `fuzz: elapsed: 1m47s, execs: 226244 (0/sec), new interesting: 3 (total: 40)
--- FAIL: FuzzSettings (107.09s)
    context deadline exceeded
FAIL
exit status 1
`;
    assert.deepEqual(goOutcome(1, ended, './pkg/plugin'), { executions: 226244, findings: [] });
  });

  test('an input that hangs is detected by the time without an execution', () => {
    const stands = `fuzz: elapsed: 9s, execs: 100 (9/sec), new interesting: 0 (total: 2)
fuzz: elapsed: 12s, execs: 100 (0/sec), new interesting: 0 (total: 2)
fuzz: elapsed: 1m0s, execs: 100 (0/sec), new interesting: 0 (total: 2)
PASS
`;
    assert.deepEqual(goOutcome(0, stands, './pkg/frame').findings, [
      'no execution completed in the last 51 s: an input hangs',
    ]);
  });
});
