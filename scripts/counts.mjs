// The numbers of passed and failed tests, from the machine-readable report of each runner.

/** Counts the result file of `jest --json`. A file that doesn't load is one failure. */
export function jestCount(json) {
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(json);
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

/** Counts the TAP report of `node --test`, which ends with its totals. */
export function tapCount(tap) {
  const line = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(tap)?.[1] ?? 0);
  return { passed: line('pass'), failed: line('fail') + line('cancelled') };
}

/** Counts the report of Playwright's JSON reporter. Errors outside of tests are failures, too. */
export function playwrightCount(json) {
  const { stats, errors } = JSON.parse(json);
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length };
}

const eventsOf = (jsonLines) =>
  jsonLines
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

/** Counts the lines of `go test -json`: each test without subtests, and each package that failed outside of a test. */
export function goCount(jsonLines) {
  const ended = eventsOf(jsonLines).filter(({ Action }) => Action === 'pass' || Action === 'fail');
  const tests = ended.filter(({ Test }) => Test);
  const parents = new Set(tests.map(({ Package, Test }) => `${Package} ${/^(.*)\/|$/.exec(Test)[1]}`));
  const leaves = tests.filter(({ Package, Test }) => !parents.has(`${Package} ${Test}`));
  const failed = leaves.filter(({ Action }) => Action === 'fail');
  const others = ended.filter(
    ({ Package, Test, Action }) => !Test && Action === 'fail' && !failed.some((test) => test.Package === Package)
  );
  return { passed: leaves.length - failed.length, failed: failed.length + others.length };
}

/** The output of `go test -json`, except for that of passed tests. */
export function goFailures(jsonLines) {
  const output = new Map();
  for (const { Action, Package, ImportPath, Test = '', Output = '' } of eventsOf(jsonLines)) {
    const key = `${Package ?? ImportPath} ${Test}`;
    output.set(key, Action === 'pass' || Action === 'skip' ? '' : (output.get(key) ?? '') + Output);
  }
  return [...output.values()].join('');
}
