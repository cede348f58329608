import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { askForMissing } from './ask';
import { type Options, parseOptions } from './options';

const options = (env: Record<string, string> = {}): Options =>
  parseOptions(['--check', '--url', 'https://a.example'], env);

/** Answers prompts with these lines, and returns what the user saw. */
async function asked(given: Options, lines: string[], isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  const answered = askForMissing(given, { input, output });
  for (const line of lines) {
    // Each answer is written after its prompt has appeared.
    await new Promise((resolve) => setTimeout(resolve, 50));
    input.write(`${line}\n`);
  }
  input.end();
  const { service } = await answered;
  return { login: service?.login, key: service?.key, seen: String(output.read() ?? '') };
}

describe('prompts for the login and key of a service', () => {
  test('asks for both, and does not show the key', async () => {
    const { login, key, seen } = await asked(options(), ['me', 'a secret key']);
    assert.deepEqual([login, key], ['me', 'a secret key']);
    assert.match(seen, /Login for https:\/\/a\.example: .*Key/);
    assert.ok(!seen.includes('secret'), seen);
  });

  test('does not ask for what is known', async () => {
    const { login, key, seen } = await asked(options({ INSIGHTS_LOGIN: 'me', INSIGHTS_KEY: 'k' }), []);
    assert.deepEqual([login, key, seen], ['me', 'k', '']);
  });

  test('leaves them empty without an answer', async () => {
    assert.deepEqual(await asked(options(), [], false), { login: '', key: '', seen: '' });
    const { login, key } = await asked(options(), []);
    assert.deepEqual([login, key], ['', '']);
  });

  test('does not ask with the simulator', async () => {
    const { seen } = await asked(parseOptions([], {}), []);
    assert.equal(seen, '');
  });
});
