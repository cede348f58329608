import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import path from 'node:path';
import { root } from './backend/binary';

/** What to do after a build. */
export interface Rebuilt {
  backend(): Promise<void>;
  page(): void;
}

const goSources = ['pkg', 'schema'];
const isGoSource = (file: string) => /\.(go|json)$/.test(file) && !/_test\.go$|testdata/.test(file);

/** An editor writes a file in several steps. */
const settleMs = 200;

/** Calls `work` once after a burst of changes, and again if there were more changes while it ran. */
export function onceSettled(work: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => (running = running.then(work)), settleMs);
  };
}

function run(program: string, args: string[], onEnd: (code: number | null) => void) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  child.once('error', (error) => console.error(error.message));
  child.once('close', onEnd);
  return child;
}

async function buildBackend(rebuilt: Rebuilt): Promise<void> {
  const started = Date.now();
  const code = await new Promise((resolve) => run('go', ['tool', 'mage', 'build:backend'], resolve));
  if (code !== 0) {
    console.error("The backend doesn't build; the previous one keeps running.");
    return;
  }
  await rebuilt.backend();
  console.log(`Backend built and restarted in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

/**
 * Builds the backend when `pkg` or `schema` changes, and the frontend when `src` changes; returns a function that
 * stops it.
 */
export function watchSources(rebuilt: Rebuilt): () => void {
  const backendChanged = onceSettled(() => buildBackend(rebuilt));
  const pageChanged = onceSettled(async () => rebuilt.page());
  const watchers = goSources.map((folder) =>
    watch(path.join(root, folder), { recursive: true }, (_event, file) => isGoSource(file ?? '') && backendChanged())
  );
  watchers.push(watch(path.join(root, 'dist'), (_event, file) => file === 'module.js' && pageChanged()));
  // Webpack's own watch mode: the first build is slow, the following ones take a second.
  const webpack = run(
    process.execPath,
    [
      path.join('node_modules', 'webpack', 'bin', 'webpack.js'),
      '-w',
      '-c',
      'webpack.config.ts',
      '--env',
      'development',
    ],
    () => undefined
  );
  return () => {
    watchers.forEach((watcher) => watcher.close());
    webpack.kill();
  };
}
