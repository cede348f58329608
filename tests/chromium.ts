import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

import type { LaunchOptions } from '@playwright/test';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const install = 'apt-get install -y --no-install-recommends chromium';

function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  return named && existsSync(named) ? named : names.map(onPath).find((file) => file !== undefined);
}

/**
 * Launch options for the machine's Chromium: the one in CHROMIUM_PATH, or the first that is found. Without one,
 * Playwright uses its own browser.
 */
export function installedChromium(): LaunchOptions {
  const executablePath = findChromium();
  return executablePath ? { executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] } : {};
}

/** Installs Chromium only where that is expected: as root, or in CI. Otherwise, shows the command. */
function ensureChromium(): void {
  if (findChromium()) {
    return;
  }
  const isRoot = process.getuid?.() === 0;
  if (onPath('apt-get') && (isRoot || process.env.CI)) {
    const sudo = isRoot ? '' : 'sudo -n ';
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync(`${sudo}apt-get update && ${sudo}${install}`, { shell: true, stdio: 'inherit', env });
  }
  if (!findChromium()) {
    throw new Error(
      `The browser tests need Chromium, but none was found. Install it (on Debian and Ubuntu: sudo ${install}), or set ` +
        'CHROMIUM_PATH to its path.'
    );
  }
}

if (require.main === module) {
  try {
    ensureChromium();
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
