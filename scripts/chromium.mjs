import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './lib/run.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function onPath(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

/** Path of an installed Chromium: the one that CHROMIUM_PATH names, or the first that is found; nothing when there is none. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  return named && existsSync(named) ? named : names.map(onPath).find((file) => file !== undefined);
}

// As root, or as somebody who becomes root without being asked for a password.
async function aptGet(...args) {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  return run([...sudo, 'apt-get', ...args], { DEBIAN_FRONTEND: 'noninteractive' });
}

/** Path of a Chromium; on Debian and Ubuntu it is installed when there is none. Throws an error that says what to do. */
export async function ensureChromium() {
  const found = findChromium();
  if (found) {
    return found;
  }
  let output = '';
  if (onPath('apt-get')) {
    ({ output } = await aptGet('update'));
    output += (await aptGet('install', '-y', '--no-install-recommends', 'chromium')).output;
  }
  const installed = findChromium();
  if (!installed) {
    throw new Error(
      `${output}\nThe browser tests need Chromium, and none was found. Install it (Debian, Ubuntu: apt-get install chromium) ` +
        'or say where it is with CHROMIUM_PATH.'
    );
  }
  return installed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureChromium().then(console.log, (error) => {
    console.error(error.message);
    process.exit(1);
  });
}
