/**
 * The number of passed and failed tests, from the machine-readable report of each runner.
 *
 * @typedef {{ passed: number, failed: number }} Count
 */

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

/** Counts the lines of `go test -json`: each test without subtests, and each package that failed outside of a test. */
export function goCount(jsonLines) {
  const results = new Map();
  const failedPackages = new Set();
  for (const line of jsonLines.split('\n').filter((text) => text.startsWith('{'))) {
    const { Action: action, Package: name, Test: test } = JSON.parse(line);
    if (test && (action === 'pass' || action === 'fail')) {
      results.set(`${name} ${test}`, action);
    } else if (!test && action === 'fail') {
      failedPackages.add(name);
    }
  }
  const names = [...results.keys()];
  const parents = new Set(names.map((name) => name.slice(0, name.lastIndexOf('/'))));
  const leaves = names.filter((name) => !parents.has(name));
  const failed = leaves.filter((name) => results.get(name) === 'fail');
  const explained = new Set(failed.map((name) => name.split(' ')[0]));
  return {
    passed: leaves.length - failed.length,
    failed: failed.length + [...failedPackages].filter((name) => !explained.has(name)).length,
  };
}

/** The output of `go test -json`, except for that of passed tests. */
export function goFailures(jsonLines) {
  const output = new Map();
  for (const line of jsonLines.split('\n').filter((text) => text.startsWith('{'))) {
    const { Action: action, Package: name, ImportPath: built, Test: test, Output: text } = JSON.parse(line);
    const key = `${name ?? built} ${test ?? ''}`;
    if (action === 'pass') {
      output.delete(key);
    } else if (text) {
      output.set(key, (output.get(key) ?? '') + text);
    }
  }
  return [...output.values()].join('');
}
