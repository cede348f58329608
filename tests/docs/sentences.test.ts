import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prose } from './support/markdown';
import { pages } from './support/pages';

/** Shorter ones are headings, cells, and links. */
const fewestWords = 8;

const sentences = (text: string) =>
  prose(text)
    .replaceAll(/\]\([^)]*\)/g, '')
    .split(/[.:;|]\s|\n(?=[-\d\n])/)
    .map((sentence) => sentence.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [])
    .filter(({ length }) => length >= fewestWords)
    .map((words) => words.join(' '));

test('no sentence is written twice', () => {
  const all = pages.filter(({ file }) => file.startsWith('docs/')).flatMap(({ text }) => sentences(text));
  assert.ok(all.length > 300, `only ${all.length} sentences were found`);
  assert.deepEqual(
    all.filter((sentence, index) => all.indexOf(sentence) < index),
    []
  );
});
