import { parseArgs } from 'node:util';
import { fuzzTargets, goOutcome } from './lib/fuzz.mjs';
import { run } from './lib/run.mjs';

const help = `Usage: npm run fuzz -- [options]

Runs every Go fuzz target, and divides the time evenly. Go stores failing inputs in the package's testdata/fuzz, where
"go test" runs them again.

  --minutes <n>  total time for all targets (default: 10)
  --help         show this help`;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, help: { type: 'boolean' } },
});

function minutesOf(text) {
  const minutes = Number(text);
  if (!(minutes > 0)) {
    throw new Error(`--minutes is "${text}"; it must be a number greater than 0`);
  }
  return minutes;
}

async function listTargets() {
  const listed = await run(['go', 'test', '-list', '^Fuzz', './...']);
  const module = await run(['go', 'list', '-m']);
  if (listed.code !== 0 || module.code !== 0) {
    throw new Error(`cannot list the fuzz targets:\n${listed.output}${module.output}`);
  }
  return fuzzTargets(listed.stdout, module.stdout.trim());
}

const goTarget = ({ folder, name }) => ({
  title: `${folder.slice(2)} ${name}`,
  async fuzz(seconds) {
    const { code, output } = await run([
      ...['go', 'test', '-run', '^$', '-fuzz', `^${name}$`],
      // Go minimizes interesting inputs for up to a minute each, which doesn't count toward the time.
      ...['-fuzztime', `${seconds}s`, '-fuzzminimizetime', '1000x', folder],
    ]);
    return { ...goOutcome(code, output, folder), output };
  },
});

/** What a run printed in addition to its progress and its findings, which are already shown. */
function explanation(output) {
  const lines = output.trimEnd().split('\n');
  return lines
    .filter((line) => !line.startsWith('fuzz: '))
    .slice(-60)
    .join('\n');
}

async function fuzzAll(targets, seconds) {
  const wide = Math.max(...targets.map(({ title }) => title.length));
  let executions = 0;
  let findings = 0;
  for (const { title, fuzz } of targets) {
    const outcome = await fuzz(seconds);
    executions += outcome.executions;
    findings += outcome.findings.length;
    const numbers = `${outcome.executions.toLocaleString('en').padStart(12)} executions`;
    console.log(`${title.padEnd(wide)}  ${numbers}  ${outcome.findings.length} findings`);
    if (outcome.findings.length > 0) {
      console.log(outcome.findings.map((finding) => `  ${finding}`).join('\n'));
      console.log(explanation(outcome.output));
    }
  }
  console.log(`${executions.toLocaleString('en')} executions, ${findings} findings`);
  return findings;
}

async function main() {
  if (values.help) {
    console.log(help);
    return;
  }
  const minutes = minutesOf(values.minutes);
  const targets = (await listTargets()).map(goTarget);
  const seconds = Math.max(1, Math.round((minutes * 60) / targets.length));
  const findings = await fuzzAll(targets, seconds);
  process.exitCode = findings > 0 ? 1 : 0;
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
