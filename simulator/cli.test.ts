import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

import { parseArguments } from './options';

function run(...flags: string[]): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'cli.ts'), ...flags], { stdio: 'pipe' });
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [line] = await once(createInterface({ input: child.stdout! }), 'line');
  return line;
}

test('prints its address, serves, and stops when asked to', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const child = run('--port', '0');
    const line = await firstLine(child);
    const [, url] = /^Insights simulator listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line) ?? [];
    assert.equal((await fetch(`${url}/simulator/health`)).status, 200);
    child.kill(signal);
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  }
});

test('an invalid flag or value is named, with what is allowed', async () => {
  for (const [flags, expected] of [
    [['--tasks', '5'], /--tasks/],
    [['--automations', 'many'], /automations .* whole number from 0/],
    [['--rates', 'permille'], /rates .* fraction, percent/],
    [['--frozen', 'now'], /frozen .* must be a time/],
    [['--size', 'maybe'], /size .* ignored, honored, refused/],
  ] as const) {
    assert.throws(() => parseArguments([...flags]), expected);
  }
  const child = run('--page-size', '0');
  const [[message], [code]] = await Promise.all([once(child.stderr!, 'data'), once(child, 'exit')]);
  assert.match(String(message), /pageSize is 0/);
  assert.equal(code, 1);
});
