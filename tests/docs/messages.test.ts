import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { code, rows } from './support/markdown';
import { page } from './support/pages';
import { goTexts } from './support/sources';

const { text } = page('docs/troubleshooting.md');
const [own] = text.split('## Other messages');
const quoted = rows(own).flatMap(([message]) => code(message));

/** Shorter ones occur in too many texts to be conclusive. */
const least = 8;

/** The parts of a message that appear in the source: those between its values, which can be from several formats. */
const parts = (message: string) =>
  message
    .split(/…|[:;,] | – /)
    .map((part) => part.trim().replace(/[:;,.]$/, ''))
    .filter((part) => part.length >= least);

describe('every message on the page is one that the plugin can show', () => {
  const texts = goTexts.join('\n');
  assert.ok(quoted.length >= 15, `only ${quoted.length} messages were found on the page`);

  for (const message of quoted) {
    test(message, () => {
      assert.ok(parts(message).length > 0, 'too short to search for');
      assert.deepEqual(
        parts(message).filter((part) => !texts.includes(part)),
        []
      );
    });
  }
});
