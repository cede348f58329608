import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root, run } from './run.mjs';

function packagesIn(lockFile) {
  try {
    return JSON.parse(readFileSync(path.join(root, lockFile), 'utf8')).packages;
  } catch {
    return {};
  }
}

// npm records what it has installed. Compares the contents and not the dates: `npm install` writes the lock file last,
// and git changes the date of any file.
function packagesAreMissing() {
  const installed = packagesIn('node_modules/.package-lock.json');
  return Object.entries(packagesIn('package-lock.json')).some(
    ([place, { version, optional, devOptional }]) =>
      place !== '' && (installed[place] ? installed[place].version !== version : !optional && !devOptional)
  );
}

/**
 * What must exist before anything else runs. Go and webpack cache their results, so building unchanged code takes
 * seconds.
 */
export const parts = {
  packages: { title: 'npm packages', command: ['npm', 'ci', '--no-audit', '--no-fund'], isNeeded: packagesAreMissing },
  frontEnd: { title: 'frontend build', command: ['npm', 'run', '--silent', 'build:frontend'] },
  backEnd: { title: 'backend build', command: ['npm', 'run', '--silent', 'build:backend'] },
};

/** Returns what is missing on this machine, or undefined. */
export async function missingTools() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 20)) {
    return `Node.js ${process.versions.node} is too old: use 22 or 24 (https://nodejs.org)`;
  }
  const { code } = await run(['go', 'version']);
  return code === 0 ? undefined : 'Go is required to build the backend, but was not found (https://go.dev/dl)';
}

async function make({ title, command, isNeeded }) {
  if (isNeeded && !isNeeded()) {
    return;
  }
  console.log(`${title}: ${command.join(' ')} …`);
  const { code, output, seconds } = await run(command);
  if (code !== 0) {
    throw new Error(`${output}\n${title} failed: ${command.join(' ')}`);
  }
  console.log(`${title}: done in ${seconds.toFixed(0)} s`);
}

/**
 * Installs what is missing, and builds; throws an error that says what to do.
 *
 * @param {(typeof parts)[keyof typeof parts][]} [builds] what is needed in addition to the packages
 */
export async function ready(builds = [parts.frontEnd, parts.backEnd]) {
  const missing = await missingTools();
  if (missing) {
    throw new Error(missing);
  }
  await make(parts.packages);
  await Promise.all(builds.map(make));
}
