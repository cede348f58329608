import { parseArgs } from 'node:util';
import { run } from './setup.mjs';

const help = `Usage: npm run fuzz -- [options]

Runs every Go fuzz target, and divides the time evenly. Go stores failing inputs in the package's testdata/fuzz, where
"go test" runs them again.

  --minutes <n>  total time for all targets (default: 10)
  --help         show this help`;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, help: { type: 'boolean' } },
});

// Up to 1.26, Go sometimes fails a run because its time is over (golang/go#75804). No input is the cause.
const overtime = /^--- FAIL: \w+ \([\d.]+s\)\n\s+context deadline exceeded$/m;

/** The targets with their packages: Go fuzzes one target at a time. */
async function listTargets() {
  const { isOk, stdout, output } = await run(['go', 'test', '-json', '-list', '^Fuzz', './...']);
  if (!isOk) {
    throw new Error(`cannot list the fuzz targets:\n${output}`);
  }
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ Action, Output = '' }) => Action === 'output' && Output.startsWith('Fuzz'))
    .map(({ Package, Output }) => ({ package: Package, name: Output.trim() }));
}

async function fuzz(target, seconds) {
  const { isOk, output } = await run([
    ...['go', 'test', '-run', '^$', '-fuzz', `^${target.name}$`],
    // Go minimizes interesting inputs for up to a minute each, which doesn't count toward the time.
    ...['-fuzztime', `${seconds}s`, '-fuzzminimizetime', '1000x', target.package],
  ]);
  const isFailed = !isOk && !overtime.test(output);
  const executions = Number([...output.matchAll(/execs: (\d+)/g)].at(-1)?.[1] ?? 0);
  const name = `${target.package.split('/').at(-1)} ${target.name}`;
  console.log(`${isFailed ? 'FAILED' : 'ok    '}  ${name.padEnd(32)} ${executions.toLocaleString('en')} executions`);
  if (isFailed) {
    console.log(output.split('\n').slice(-60).join('\n'));
  }
  return !isFailed;
}

async function main() {
  if (values.help) {
    console.log(help);
    return;
  }
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) {
    throw new Error(`--minutes is "${values.minutes}"; it must be a number greater than 0`);
  }
  const targets = await listTargets();
  const seconds = Math.max(1, Math.round((minutes * 60) / targets.length));
  for (const target of targets) {
    process.exitCode = (await fuzz(target, seconds)) ? process.exitCode : 1;
  }
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
