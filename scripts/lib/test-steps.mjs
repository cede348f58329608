import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { goCount, goFailures, jestCount, playwrightCount, tapCount } from './counts.mjs';
import { root, run } from './run.mjs';
import { missingTools, parts } from './setup.mjs';

const bin = (name) => path.join('node_modules', '.bin', name);

/** A step that is a single check: its command succeeds or fails. */
async function check(command, env) {
  const { code, output, seconds } = await run(command, env);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output, seconds };
}

const setUp = ({ title, command, isNeeded }) => ({
  name: title,
  run: async () => ((isNeeded?.() ?? true) ? check(command) : { passed: 1, failed: 0, output: '', seconds: 0 }),
});

/** Runs a test runner that writes a report file, and counts its tests. */
async function suite(commandFor, count, env = () => ({})) {
  const folder = mkdtempSync(path.join(tmpdir(), 'insights-tests-'));
  const report = path.join(folder, 'report');
  try {
    const { code, output, seconds } = await run(commandFor(report), env(report));
    const { passed, failed } = count(readFileSync(report, 'utf8'));
    // A runner that fails without counting a failure is still a failure.
    return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, output, seconds };
  } catch (error) {
    throw new Error(`${commandFor(report).join(' ')} wrote no report: ${error.message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Node 20 doesn't support patterns.
function testFiles(...folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true }).map((file) => path.join(folder, file))
  );
  return files.filter((file) => /\.test\.(ts|mjs)$/.test(file)).sort();
}

const nodeTests = (...folders) =>
  suite(
    (report) => [
      // More files than cores: many of their tests wait for a pause to end.
      ...[process.execPath, '--import', 'tsx', '--test', '--test-concurrency=3'],
      ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
      ...['--test-reporter=tap', `--test-reporter-destination=${report}`],
      ...testFiles(...folders),
    ],
    tapCount
  );

// These start no goroutine, and the race detector would make their tests take three times as long.
const sequential = ['schema', 'pkg', 'pkg/filter', 'pkg/frame', 'pkg/query'];

// These try many random cases, of which the race detector sees a few: it would make them take eight times as long.
const random = ['pkg/list', 'pkg/service'];

// It starts no goroutine either, and simulates weeks of many worlds: the short form takes a minute.
const simulated = ['pkg/attention'];

async function goPackages() {
  const all = (await run(['go', 'list', '-f', '{{.Dir}}', './pkg/...'])).stdout.split('\n').filter(Boolean);
  return all
    .map((folder) => path.relative(root, folder))
    .filter((folder) => ![...sequential, ...simulated].includes(folder));
}

// As Magefile.go and the SDK build the backend: Go compiles all libraries again for other settings, which takes longer than the tests.
const asBuilt = { CGO_ENABLED: '0', GOFLAGS: `${process.env.GOFLAGS ?? ''} -tags=arrow_json_stdlib -trimpath`.trim() };

// The race detector needs a C compiler; Go reports whether it has found one.
async function goTest() {
  const { stdout } = await run(['go', 'env', 'CGO_ENABLED']);
  const race = stdout.trim() === '1' ? ['-race', '-short'] : [];
  // The timeout reports where a test hangs, long before the limit of the whole run. The step Go lint vets all packages.
  const test = (packages, flags, env) =>
    run(['go', 'test', ...flags, '-timeout=6m', '-vet=off', '-json', ...packages.map((folder) => `./${folder}`)], {
      // Collects garbage less often: tests make much of it, and keep little.
      GOGC: '400',
      ...env,
    });
  const tested = [
    await test(await goPackages(), race),
    await test(race.length > 0 ? [...sequential, ...random] : sequential, [], asBuilt),
    await test(simulated, ['-short'], asBuilt),
    // Queries that run concurrently make their frames of the same columns.
    await test(['pkg/frame'], [...race, '-run=OfSharedColumns']),
  ];
  const counts = tested.map(({ stdout }) => goCount(stdout));
  const sum = (of) => counts.reduce((total, count) => total + of(count), 0);
  const failed = sum((count) => count.failed);
  // Go passes if no test has the name.
  const isFailed = tested.some(({ code }, index) => code !== 0 || counts[index].passed === 0);
  const note = race.length > 0 ? '' : 'without -race: there is no C compiler\n';
  const failures = tested.map(({ stdout }) => goFailures(stdout)).join('');
  return {
    passed: sum((count) => count.passed),
    failed: isFailed && failed === 0 ? 1 : failed,
    output: note + (failures || tested.map(({ output }) => output).join('\n')),
    seconds: tested.reduce((total, { seconds }) => total + seconds, 0),
  };
}

const browserTests = () =>
  suite(
    () => [bin('playwright'), 'test', '-c', 'playwright.workbench.config.ts', '--reporter=list,json'],
    playwrightCount,
    (report) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: report })
  );

async function tools() {
  const missing = await missingTools();
  if (missing) {
    throw new Error(missing);
  }
  return { passed: 1, failed: 0, output: '', seconds: 0 };
}

const chromium = () => check([process.execPath, '--import', 'tsx', path.join('tests', 'chromium.ts')]);

const packages = parts.packages.title;
const backEnd = parts.backEnd.title;
const frontEnd = parts.frontEnd.title;

/** Everything that `npm test` does. Slow steps come first; those of Go need no npm packages. */
export const steps = [
  { name: 'tools', run: tools },
  { ...setUp(parts.packages), after: ['tools'] },
  { ...setUp(parts.backEnd), after: ['tools'] },
  { name: 'go test', after: [backEnd], run: goTest },
  { ...setUp(parts.frontEnd), after: [packages] },
  { name: 'chromium', after: [packages], run: chromium },
  { name: 'workbench in a browser', after: [backEnd, frontEnd, 'chromium'], run: browserTests },
  {
    name: 'jest',
    after: [packages],
    run: () => suite((file) => [bin('jest'), '--ci', '--json', `--outputFile=${file}`], jestCount),
  },
  { name: 'backend over gRPC', after: [packages, backEnd], run: () => nodeTests('tests/grpc') },
  // Rules that need types only warn, which fails nothing here: without them, no program is made of all files.
  {
    name: 'TypeScript lint',
    after: [packages],
    run: () => check(['npm', 'run', '--silent', 'lint:code', '--', '--quiet', '--parser-options=project:null']),
  },
  { name: 'TypeScript format', after: [packages], run: () => check(['npm', 'run', '--silent', 'lint:format']) },
  {
    name: 'node tests',
    after: [packages, backEnd],
    run: () => nodeTests('simulator', 'workbench', 'scripts', 'tests/dashboards', 'tests/docs', 'tests/structure'),
  },
  { name: 'load, short form', after: [packages, backEnd], run: () => nodeTests('tests/load') },
  { name: 'Go lint', after: [packages], run: () => check(['npm', 'run', '--silent', 'lint:go'], asBuilt) },
  { name: 'types', after: [packages], run: () => check(['npm', 'run', '--silent', 'typecheck']) },
];
