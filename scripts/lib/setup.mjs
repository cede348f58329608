import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isStale } from './newest.mjs';
import { root, run } from './run.mjs';

const isTest = (file) => /([._]test\.(tsx?|go)|[\\/]testdata[\\/].*)$/.test(file);
const isGo = (file) => /\.(go|json|mod|sum)$/.test(file);

const frontEndSources = ['src', 'datasets', 'findings', '.config/webpack', '.config/bundler', 'package.json'];
const backEndSources = ['pkg', 'datasets', 'findings', 'Magefile.go', 'go.mod', 'go.sum', 'src/plugin.json'];

// Any binary of the plugin; which one this machine needs is the build's business.
function backEndBinary() {
  const folder = path.join(root, 'dist');
  try {
    const name = readdirSync(folder).find((file) => file.startsWith('gpx_'));
    return name ? path.join('dist', name) : 'dist/gpx_';
  } catch {
    return 'dist/gpx_';
  }
}

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
 * What has to be there before anything else runs, in its order of dependence.
 * Each part knows whether it is needed and how it is made; a fresh clone needs all of them.
 */
export const parts = {
  packages: {
    title: 'npm packages',
    isNeeded: packagesAreMissing,
    command: ['npm', 'ci', '--no-audit', '--no-fund'],
  },
  frontEnd: {
    title: 'build of the browser side',
    isNeeded: () => isStale('dist/module.js', frontEndSources, (file) => !isTest(file) && !file.endsWith('.go')),
    command: ['npm', 'run', '--silent', 'build:frontend'],
  },
  backEnd: {
    title: 'build of the backend',
    isNeeded: () => isStale(backEndBinary(), backEndSources, (file) => !isTest(file) && isGo(file)),
    command: ['npm', 'run', '--silent', 'build:backend'],
  },
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
