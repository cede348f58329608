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

// npm keeps a note of what it has installed. By content and not by age: `npm install` writes the lock file last, and
// git gives any file a new date.
function packagesAreMissing() {
  const installed = packagesIn('node_modules/.package-lock.json');
  return Object.entries(packagesIn('package-lock.json')).some(
    ([place, { version, optional, devOptional }]) =>
      place !== '' && (installed[place] ? installed[place].version !== version : !optional && !devOptional)
  );
}

/**
 * What has to be there before anything else runs. Go and webpack keep what they have compiled, so that a build of what
 * has not changed takes seconds.
 */
export const parts = {
  packages: { title: 'npm packages', command: ['npm', 'ci', '--no-audit', '--no-fund'], isNeeded: packagesAreMissing },
  frontEnd: { title: 'build of the browser side', command: ['npm', 'run', '--silent', 'build:frontend'] },
  backEnd: { title: 'build of the backend', command: ['npm', 'run', '--silent', 'build:backend'] },
};

/** Says what is missing on this machine, or nothing. */
export async function missingTools() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 20)) {
    return `Node ${process.versions.node} is too old: 20.20, 22 or 24 is needed (https://nodejs.org)`;
  }
  const { code } = await run(['go', 'version']);
  return code === 0 ? undefined : 'Go is needed to build the backend, and was not found (https://go.dev/dl)';
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
 * @param {(typeof parts)[keyof typeof parts][]} [builds] what is needed beside the packages
 */
export async function ready(builds = [parts.frontEnd, parts.backEnd]) {
  const missing = await missingTools();
  if (missing) {
    throw new Error(missing);
  }
  await make(parts.packages);
  await Promise.all(builds.map(make));
}
