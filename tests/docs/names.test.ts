import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { code, rows, section } from './support/markdown';
import { filesBelow, page, pages, read } from './support/pages';

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe('commands exist', () => {
  for (const { file, text } of pages) {
    test(file, () => {
      const named = [...text.matchAll(/npm (?:run )?([a-z][\w:]*)/g)].map(([, name]) => name);
      assert.deepEqual(
        named.filter((name) => !(name in scripts) && !['install', 'ci', 'run'].includes(name)),
        []
      );
    });
  }
});

test('metrics have the names, labels, and sources of the code', () => {
  const source = filesBelow('pkg', /(?<!_test)\.go$/)
    .map(read)
    .join('\n');
  const found = [...source.matchAll(/Namespace: "(\w+)", Name: "(\w+)"/g)].map(([, space, name]) => `${space}_${name}`);
  const [, ...listed] = rows(section(page('docs/architecture.md').text, 'Metrics and traces'));
  assert.deepEqual(listed.flatMap(([name]) => code(name)).sort(), found.sort());
  for (const label of listed.flatMap(([, labels]) => code(labels))) {
    assert.ok(source.includes(`"${label}"`), label);
  }
});

test('libraries are those of go.mod and package.json', () => {
  const declared = read('go.mod') + read('package.json');
  const [, ...listed] = rows(section(page('docs/architecture.md').text, 'Libraries'));
  const modules = listed
    .flatMap(([names]) => code(names))
    .map((name) => name.replace(/\/(jsontext|v2\/simplelru)$/, ''));
  assert.deepEqual(
    modules.filter((name) => !declared.includes(name)),
    []
  );
});

test('no placeholders, no addresses of a particular machine', () => {
  const bad = pages.filter(({ text }) => /lorem|TODO|TBD|FIXME|coming soon|\/root\/|\/home\/|\/tmp\//i.test(text));
  assert.deepEqual(
    bad.map(({ file }) => file),
    []
  );
});
