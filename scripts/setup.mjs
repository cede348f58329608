import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// Needs nothing but Node.js: it installs the packages.

/** Root of the repository; every command runs there. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

// npm is a batch file on Windows, which only a shell can start.
const shell = process.platform === 'win32';

/** Runs a command without stdin, with an environment that is added to. `output` is everything that it printed. */
export function run([program, ...args], env = {}) {
  const started = Date.now();
  const options = { cwd: root, env: { ...process.env, ...env }, shell, maxBuffer: Infinity };
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const output = stdout + stderr + (error && !stdout && !stderr ? error.message : '');
      resolve({ isOk: !error, stdout, output, seconds: (Date.now() - started) / 1000 });
    });
    child.stdin?.end();
  });
}

/** Runs a command that others need; throws an error with its output. */
export async function step(title, command) {
  console.log(`${title}: ${command.join(' ')} …`);
  const { isOk, output, seconds } = await run(command);
  if (!isOk) {
    throw new Error(`${output}\n${title} failed: ${command.join(' ')}`);
  }
  console.log(`${title}: done in ${seconds.toFixed(0)} s`);
}

function packagesIn(...lockFile) {
  try {
    return JSON.parse(readFileSync(path.join(root, ...lockFile), 'utf8')).packages;
  } catch {
    return {};
  }
}

// npm records what it has installed. Compares the contents and not the dates: `npm install` writes the lock file last,
// and git changes the date of any file.
function packagesAreMissing(folder) {
  const installed = packagesIn(folder, 'node_modules', '.package-lock.json');
  return Object.entries(packagesIn(folder, 'package-lock.json')).some(
    ([place, { version, optional, devOptional }]) =>
      place !== '' && (installed[place] ? installed[place].version !== version : !optional && !devOptional)
  );
}

async function checkTools() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 20)) {
    throw new Error(`Node.js ${process.versions.node} is too old: use 22 or 24 (https://nodejs.org)`);
  }
  if (!(await run(['go', 'version'])).isOk) {
    throw new Error('Go is required to build the backend, but was not found (https://go.dev/dl)');
  }
}

/** Installs the packages of a folder, unless they are. */
export async function installIn(folder) {
  if (packagesAreMissing(folder)) {
    await step(`npm packages in ${folder}`, ['npm', 'ci', '--prefix', folder, '--no-audit', '--no-fund']);
  }
}

const build = (side) => step(`${side} build`, ['npm', 'run', '--silent', `build:${side}`]);

/**
 * Installs what is missing, and builds, with more beside it: Go and webpack cache their results, so unchanged code takes
 * seconds. Throws an error that says what to do.
 */
export async function setUp(more = async () => {}) {
  await checkTools();
  const frontend = installIn('.').then(() => Promise.all([build('frontend'), more()]));
  // Whoever reports the failure has the last word.
  const failed = (await Promise.allSettled([build('backend'), frontend])).find(({ reason }) => reason);
  if (failed) {
    throw failed.reason;
  }
}

/** Sets up, and then runs a TypeScript program in this process, so that a single process receives Ctrl+C. */
export async function launch(program) {
  try {
    await setUp();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
  const require = createRequire(import.meta.url);
  require('tsx/cjs');
  require(path.join(root, program));
}
