/**
 * Parses the output of Go's fuzzer for a summary.
 *
 * @typedef {{ folder: string, name: string }} Target a Go fuzz target and the folder of its package
 * @typedef {{ executions: number, findings: string[] }} Outcome findings are sentences that say where an input is
 * stored
 */

/** The maximum time without a completed execution, in seconds. One takes microseconds to seconds. */
const longestPause = 45;

/**
 * Parses `go test -list '^Fuzz' ./...`: the names in a package, then a line that names the package.
 *
 * @param {string} listed
 * @param {string} module path of the Go module
 * @returns {Target[]}
 */
export function fuzzTargets(listed, module) {
  const targets = [];
  let names = [];
  for (const line of listed.split('\n')) {
    const [first, where] = line.split(/\s+/);
    if (first.startsWith('Fuzz')) {
      names.push(first);
    } else if (first === 'ok') {
      const folder = `.${where.slice(module.length)}`;
      targets.push(...names.map((name) => ({ folder, name })));
      names = [];
    }
  }
  return targets;
}

function seconds(duration) {
  const [, hours = 0, minutes = 0, rest = 0] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(duration) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
}

/** The reported progress: pairs of seconds and executions, in order. */
function progress(output) {
  const lines = output.matchAll(/^fuzz: elapsed: (\S+), execs: (\d+)/gm);
  return [...lines].map(([, elapsed, executions]) => ({ at: seconds(elapsed), executions: Number(executions) }));
}

// Go's fuzzer waits for an input forever, and ends without a message when its time is over.
function hang(told) {
  const last = told.at(-1);
  const first = told.find(({ executions }) => executions === last?.executions);
  const pause = last ? last.at - first.at : 0;
  return pause > longestPause ? [`no execution completed in the last ${pause} s: an input hangs`] : [];
}

function failures(output, folder) {
  const written = [...output.matchAll(/Failing input written to (\S+)/g)].map(([, file]) => `${folder}/${file}`);
  const kept = [...output.matchAll(/failure while testing seed corpus entry: (\S+)/g)].map(([, name]) =>
    /#\d+$/.test(name) ? `the seed ${name} of ${folder}` : `${folder}/testdata/fuzz/${name}`
  );
  return [...written, ...kept].map((input) => `fails with ${input}`);
}

// Up to 1.26, Go sometimes fails a run because its time is over (golang/go#75804). No input is the cause.
const overtime = /^--- FAIL: \w+ \([\d.]+s\)\n\s+context deadline exceeded$/m;

/**
 * Summarizes a run of `go test -fuzz`. A failed run that names no input is still a failure.
 *
 * @param {number} code exit code
 * @param {string} output everything that it printed
 * @param {string} folder of the package
 * @returns {Outcome}
 */
export function goOutcome(code, output, folder) {
  const told = progress(output);
  const findings = [...failures(output, folder), ...hang(told)];
  if (code !== 0 && findings.length === 0 && !overtime.test(output)) {
    findings.push('failed without an input');
  }
  return { executions: told.at(-1)?.executions ?? 0, findings };
}
