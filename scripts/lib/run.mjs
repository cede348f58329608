import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository; every command runs there. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

// npm is a batch file on Windows, which only a shell can start.
const shell = process.platform === 'win32';

/**
 * Runs a command without stdin and captures its output.
 *
 * @param {string[]} command program and arguments
 * @param {NodeJS.ProcessEnv} [env] added to the environment
 * @returns {Promise<{ code: number, stdout: string, output: string, seconds: number }>} `output` is everything it
 * printed
 */
export function run([program, ...args], env = {}) {
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      shell,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    const end = (code) => resolve({ code, stdout, output, seconds: (Date.now() - started) / 1000 });
    child.once('error', (error) => {
      output += error.message;
      end(127);
    });
    child.once('close', (code) => end(code ?? 1));
  });
}
