import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { code, rows } from './support/markdown';
import { page } from './support/pages';
import { findings, goSentences, goTexts } from './support/sources';

const { text } = page('docs/troubleshooting.md');
const [own] = text.split('## Other messages');
const quoted = rows(own).flatMap(([message]) => code(message));

/** Shorter ones are in too many texts to tell anything. */
const least = 8;

/** What of a message stands in the source: the parts between its values, which may come from several formats. */
const parts = (message: string) =>
  message
    .split(/…|[:;,] | – /)
    .map((part) => part.trim().replace(/[:;,.]$/, ''))
    .filter((part) => part.length >= least);

describe('every message that the page explains is one that the plugin can say', () => {
  const texts = goTexts.join('\n');
  for (const message of quoted) {
    test(message, () => {
      assert.ok(parts(message).length > 0, 'too little to look for');
      assert.deepEqual(
        parts(message).filter((part) => !texts.includes(part)),
        []
      );
    });
  }
});

test('every message that the plugin can say is explained', () => {
  const explained = quoted.join('\n').replaceAll('…', '');
  assert.deepEqual(
    goSentences(12).filter((sentence) => !explained.includes(sentence.replace(/[:;,.\s(]+$/, ''))),
    []
  );
});

test('every sentence of “Save & test” is explained, whole', () => {
  const explained = quoted.join('\n');
  assert.deepEqual(
    findings.filter((text) => !explained.includes(text.replaceAll(/\{\{\w+\}\}/g, '…'))),
    []
  );
});
