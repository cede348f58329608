import { readdirSync } from 'node:fs';
import path from 'node:path';
import { installIn, root, run, setUp } from './setup.mjs';

// npm test [-- <suite> …]: installs and builds what is missing, and runs every suite, or only those whose name begins with
// one of the texts, three at a time. The last line counts their tests.

const bin = (name, ...args) => ({ command: [path.join('node_modules', '.bin', name), ...args] });
const npm = (...script) => ({ command: ['npm', 'run', '--silent', ...script], isCheck: true });

// As Magefile.go and the SDK build the backend: Go compiles all libraries again for other settings, which takes longer
// than the tests.
const asBuilt = { CGO_ENABLED: '0', GOFLAGS: `${process.env.GOFLAGS ?? ''} -tags=arrow_json_stdlib -trimpath`.trim() };

// Collects garbage less often: tests make much of it, and keep little. Go lint vets all packages. The timeout reports
// where a test hangs, long before the limit of the whole run.
const go = (env, ...args) => ({
  command: ['go', 'test', '-short', '-vet=off', '-timeout=10m', '-json', ...args],
  env: { GOGC: '400', ...env },
  isGo: true,
});

// The packages that start goroutines: where there is a race detector, it runs all of their tests, and nothing else does, except
// for list, of whose worlds it takes half, and reads. Tests that count what a long course costs take it ten times as long, and
// show it nothing that shorter ones do not. Go 1.26 runs the timers of a synctest bubble in one context of the detector, whichever
// thread does it, and two at once crash it (golang/go#78156). On one processor, no two are at once, and the detector finds the
// same: it compares no times, but what happens before what. Packages still run side by side.
const alone = ['plugin', 'service', 'pages'];
const concurrent = [...alone, 'list', 'reads'].map((name) => `./pkg/${name}`);
const costs =
  'Test(CacheIsBounded|CostsOfDays|CostsOfAnHour|AMillionTasksFit|UnstableTies|TextsAreCountedOnce|ListLargerThanTheCache)$';
const isAlone = new RegExp(`/pkg/(${alone.join('|')})$`);

// Node 20 doesn't support patterns. More files than cores: many of their tests wait for a pause to end.
function nodeTests(...folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true }).map((file) => path.join(folder, file))
  );
  const tests = files.filter((file) => file.endsWith('.test.ts')).sort();
  const options = ['--import', 'tsx', '--test', '--test-concurrency=3', '--test-reporter=spec'];
  return { command: [process.execPath, ...options, ...tests] };
}

/**
 * Everything that `npm test` runs. Slow suites come first, so that both cores are busy to the end; those of Go need
 * nothing that is installed or built.
 */
const suites = {
  'go test, races': go({}, '-race', '-cpu=1', `-skip=${costs}`, ...concurrent),
  browser: bin('playwright', 'test', '-c', 'playwright.workbench.config.ts', '--reporter=list'),
  jest: bin('jest', '--ci'),
  'go test': go(asBuilt, './...'),
  // Queries that run at the same time make their frames of the same columns.
  'go test, races of frames': go({}, '-race', '-run=OfSharedColumns', './pkg/frame'),
  load: nodeTests('tests/load'),
  'go lint': { ...npm('lint:go'), env: asBuilt, isGo: true },
  grpc: nodeTests('tests/grpc'),
  node: nodeTests('simulator', 'workbench', 'scripts', 'tests/dashboards', 'tests/docs', 'tests/structure'),
  types: npm('typecheck'),
  // Rules that need types only warn, which fails nothing here: without them, no program is made of all files.
  lint: npm('lint:code', '--', '--quiet', '--parser-options=project:null'),
  format: npm('lint:format'),
};

/** The tests of `go test -json`, and its output without that of passed ones. */
function goResult(stdout) {
  const events = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const texts = new Map();
  for (const { Action, Package, ImportPath, Test = '', Output = '' } of events) {
    const key = `${Package ?? ImportPath} ${Test}`;
    texts.set(key, Action === 'pass' || Action === 'skip' ? '' : (texts.get(key) ?? '') + Output);
  }
  const count = (ended) => events.filter(({ Action, Test }) => Action === ended && Test).length;
  return { passed: count('pass'), failed: count('fail'), output: [...texts.values()].join('') };
}

/** What jest, Playwright, and Node.js say in the end. */
function lastCount(output, ended) {
  const [, jest, node] =
    [...output.matchAll(new RegExp(`\\b(\\d+) ${ended}ed\\b|^ℹ ${ended} (\\d+)`, 'gm'))].at(-1) ?? [];
  return Number(jest ?? node ?? 0);
}

async function runSuite(name) {
  const { command, env, isGo, isCheck } = suites[name];
  const { isOk, stdout, output, seconds } = await run(command, env);
  const result = isCheck
    ? { passed: Number(isOk), failed: 0 }
    : isGo
      ? goResult(stdout)
      : { passed: lastCount(output, 'pass'), failed: lastCount(output, 'fail') };
  // A runner that fails without counting a failure is still a failure, and so is one that ran nothing.
  const failed = isOk && result.passed > 0 ? 0 : Math.max(1, result.failed);
  const numbers = `${result.passed} passed${failed > 0 ? `, ${failed} failed` : ''}`;
  console.log(`${failed > 0 ? 'FAILED' : 'ok    '}  ${name.padEnd(24)} ${numbers} (${seconds.toFixed(0)} s)`);
  if (failed > 0) {
    console.log((result.output || output).trimEnd().split('\n').slice(-200).join('\n'));
  }
  return { passed: result.passed, failed };
}

/** The names of the suites to run. The race detector needs a C compiler; Go reports whether it has found one. */
async function chosen(texts) {
  const names = Object.keys(suites).filter((name) => texts.length === 0 || texts.some((text) => name.startsWith(text)));
  if ((await run(['go', 'env', 'CGO_ENABLED'])).stdout.trim() !== '1') {
    console.log('without -race: there is no C compiler');
    return names.filter((name) => !name.includes('races'));
  }
  const packages = (await run(['go', 'list', './...'])).stdout.trim().split('\n');
  suites['go test'].command.splice(-1, 1, ...packages.filter((name) => !isAlone.test(name)));
  return names;
}

/** Where nobody is asked, the packages of the oldest Grafana are installed, too; Chromium, which the tests need, anyway. */
async function more() {
  await (process.env.CI && installIn('oldest-grafana'));
  const chromium = await run([process.execPath, '--import', 'tsx', path.join('tests', 'chromium.ts')]);
  process.stdout.write(chromium.isOk ? '' : chromium.output);
}

async function main(texts) {
  const names = await chosen(texts);
  const total = { passed: 0, failed: 0 };
  const ready = setUp(more).then(
    () => true,
    (error) => {
      console.error(error.message);
      total.failed += 1;
      return false;
    }
  );
  const work = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      if (suites[name].isGo || (await ready)) {
        const { passed, failed } = await runSuite(name);
        total.passed += passed;
        total.failed += failed;
      }
    }
  };
  // One more than cores: several suites wait for a pause to end most of the time.
  await Promise.all([ready, work(), work(), work()]);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
});
