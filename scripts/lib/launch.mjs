import { createRequire } from 'node:module';
import { ready } from './setup.mjs';

/**
 * Sets up what is missing, then runs a TypeScript program in this process, so that a single process receives Ctrl+C.
 *
 * @param {string} program path of the program, relative to this folder
 */
export async function launch(program) {
  try {
    await ready();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
  const require = createRequire(import.meta.url);
  require('tsx/cjs');
  require(program);
}
