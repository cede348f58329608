import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { json } from './support/answers';
import { withHostile, withSocket } from './support/hostile';
import { dataSourceFor, startPlugin } from './support/plugin';
import { assertLogHasNone, assertNone, everything, key, plainKey, plainToken, token, type Said } from './support/said';

/** No message is too long to read, and nothing is quoted at length. */
function assertShort(said: Said[], filler: string): void {
  for (const { where, text } of said) {
    // The details of a check contain a report with many lines.
    const longest = Math.max(
      ...(where === 'health details' ? text.split(/\\n|",/) : [text]).map((part) => part.length)
    );
    assert.ok(longest <= 1_200, `${where} has ${longest} characters in one line`);
    assert.ok(!text.includes(filler.repeat(201)), `${where} quotes more than 200 characters`);
  }
}

describe('p. parts of a response other than its body', () => {
  const plugin = startPlugin();

  for (const [what, answer] of [
    ['a name of 500 KB', { ['n'.repeat(500_000)]: 1 }],
    ['a name with the key in it', { [`x-${key}`]: 1, [key]: 2 }],
    ['a name with the key in it and a long one', { [`${'n'.repeat(150)}${key}`]: 1, ['n'.repeat(9_000)]: 2 }],
    ['10,000 names', Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`name${index}`, index]))],
    ['a token of another name', { jwt: token, [token]: 1 }],
  ] as const) {
    test(`a login answer with ${what} and no token: a short message without a secret`, async () => {
      await withHostile({ login: (_, response) => json(response, answer) }, async (service) => {
        const said = await everything(plugin, dataSourceFor(service.url, {}, key));
        assertNone(said);
        assertShort(said, 'n');
        assert.ok(said.some(({ text }) => /token/.test(text)));
      });
    });
  }

  const ok = 'HTTP/1.1 200 OK\r\n';
  const lines: Array<[string, (secret: string) => string]> = [
    ['a header line without a colon', (secret) => `${ok}x-echo ${secret}\r\n\r\n{}`],
    ['a header line that begins with a space', (secret) => `${ok} ${secret}: 1\r\n\r\n{}`],
    ['a header name with a space', (secret) => `${ok}x ${secret}: 1\r\n\r\n{}`],
    ['a long header line without a colon', (secret) => `${ok}${secret} ${'n'.repeat(3_000)}\r\n\r\n{}`],
    ['a status that is not a number', (secret) => `HTTP/1.1 ${secret}\r\n\r\n`],
    ['an invalid version', (secret) => `${secret} 200 OK\r\n\r\n`],
    ['no HTTP at all', (secret) => `${secret}\r\n\r\n`],
    ['a length that is not a number', (secret) => `${ok}content-length: ${secret}\r\n\r\n{}`],
    ['a transfer encoding', (secret) => `${ok}transfer-encoding: ${secret}\r\n\r\n{}`],
    ['a chunk', (secret) => `${ok}transfer-encoding: chunked\r\n\r\n${secret}\r\n{}`],
    ['a redirect to a host', (secret) => `HTTP/1.1 302 Found\r\nlocation: https://${secret}.example.com/x\r\n\r\n`],
    ['a redirect to a port', (secret) => `HTTP/1.1 302 Found\r\nlocation: http://example.com:${secret}/\r\n\r\n`],
    ['a redirect to a scheme', (secret) => `HTTP/1.1 302 Found\r\nlocation: ${secret}://example.com/\r\n\r\n`],
    ['a redirect to an invalid address', (secret) => `HTTP/1.1 302 Found\r\nlocation: http://%zz${secret}/\r\n\r\n`],
    ['a redirect to a user', (secret) => `HTTP/1.1 302 Found\r\nlocation: http://${secret}@example.com/\r\n\r\n`],
    [
      'a redirect to a long host',
      (secret) => `HTTP/1.1 302 Found\r\nlocation: http://${'n'.repeat(900)}${secret}/\r\n\r\n`,
    ],
    ['an endless redirect to itself', (secret) => `HTTP/1.1 302 Found\r\nlocation: /?k=${secret}\r\n\r\n`],
  ];
  const loggedIn = `${ok}content-type: application/json\r\nconnection: close\r\n\r\n${JSON.stringify({
    accessToken: plainToken,
    organizationLabel: 'acme',
  })}`;

  for (const [what, bytes] of lines) {
    test(`${what} contains the token, on data routes: it is in no message`, async () => {
      await withSocket(
        (line) => (line.startsWith('POST') ? loggedIn : bytes(plainToken)),
        async (url) => {
          const said = await everything(plugin, dataSourceFor(url, { cacheTTL: 0 }, plainKey));
          assertNone(said);
          assertShort(said, 'n');
        }
      );
    });
  }

  test('none of it is in the log', () => assertLogHasNone(plugin));
});
