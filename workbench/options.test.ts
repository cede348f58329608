import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseOptions } from './options';

describe('command line of the workbench', () => {
  test('without options, uses the simulator, on the default port or any other', () => {
    assert.deepEqual(parseOptions([], {}), {
      ...{ check: false, port: 8080, anyOtherPort: true, service: undefined },
    });
  });

  test('uses another service, with its key only from the environment', () => {
    const argv = ['--check', '--url', 'https://a.example', '--login', 'me', '--runners-path', '/r'];
    const { check, service } = parseOptions(argv, { INSIGHTS_KEY: 'k' });
    assert.equal(check, true);
    assert.deepEqual(service, { url: 'https://a.example', login: 'me', key: 'k', runnersPath: '/r' });
  });

  for (const [argv, says] of [
    [['--port', 'eighty'], /eighty/],
    [['--port', '70000'], /70000/],
    [['--login', 'me'], /--url/],
    [['--keys', 'k'], /--keys/],
  ] as const) {
    test(`${argv.join(' ')} is refused with a message that names it`, () => {
      assert.throws(() => parseOptions([...argv], {}), says);
    });
  }
});
