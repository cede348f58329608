import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { anchors, code, links, prose, rows, section } from './support/markdown';
import { filesBelow, page, pages, read, root } from './support/pages';

// What the plugin catalog accepts as pages of a plugin, as `plugin-docs-cli validate` of grafana/plugin-tools checks it.

const { docsPath } = JSON.parse(read('src/plugin.json')) as { docsPath: string };

const frontmatter = /^---\ntitle: (.+)\ndescription: '?(.+?)'?\nsidebar_position: (\d+)\n---\n/;

for (const { file, text } of pages.filter((page) => page.file.startsWith(`${docsPath}/`))) {
  describe(file, () => {
    test('has a title, a description, and a place in the sidebar', () => {
      const [, title, description] = frontmatter.exec(text) ?? [];
      assert.ok(title && title.length <= 60, `title: ${title}`);
      assert.ok(description && description.length >= 20 && description.length <= 160, `description: ${description}`);
    });

    test('leaves the heading to its title', () => assert.doesNotMatch(prose(text), /^# /m));

    test('has no link out of its folder', () => {
      assert.deepEqual(
        links(text).filter((target) => target.includes('../')),
        []
      );
    });
  });
}

test('pictures have at most 300 KB, and each is on a page', () => {
  const shown = pages.flatMap(({ file, text }) => links(text).map((link) => path.posix.join(path.dirname(file), link)));
  const pictures = filesBelow(docsPath, /\.png$/);
  assert.ok(pictures.length > 0);
  assert.deepEqual(
    pictures.filter((file) => !shown.includes(file) || statSync(path.join(root, file)).size > 300_000),
    []
  );
});

test('README, the catalog page, and plugin.json have the words that people search for', () => {
  for (const file of ['README.md', 'src/README.md', 'src/plugin.json']) {
    for (const word of ['RPA', 'robot', 'bot', 'orchestrator']) {
      assert.match(read(file), new RegExp(`\\b${word}s?\\b`, 'i'), `${word} in ${file}`);
    }
  }
});

const isAbsolute = (target: string) => /^[a-z]+:/.test(target);

/** Pages of the catalog link to files outside of docs/ as GitHub shows them. */
const onGitHub = /^https:\/\/github\.com\/insights\/insights-reporting-datasource\/(?:blob|tree)\/main\//;

for (const { file, text } of pages) {
  describe(file, () => {
    for (const target of new Set(links(text).filter((link) => !isAbsolute(link) || onGitHub.test(link)))) {
      test(`links to ${target}`, () => {
        const [name, anchor] = target.replace(onGitHub, '').split('#');
        const folder = onGitHub.test(target) ? '' : path.posix.dirname(file);
        const linked = name ? path.posix.join(folder, name) : file;
        assert.ok(existsSync(path.join(root, linked)), `${linked} does not exist`);
        if (anchor) {
          assert.ok(anchors(page(linked).text).includes(anchor), `${linked} has no heading for #${anchor}`);
        }
      });
    }
  });
}

test('the catalog page has only absolute links', () => {
  assert.deepEqual(
    links(page('src/README.md').text).filter((target) => !target.startsWith('https://')),
    []
  );
});

test('the index of the documentation links to every page, and README to the index', () => {
  const linked = links(page('docs/index.md').text).map((target) => path.posix.join('docs', target));
  const missing = pages.filter(({ file }) => file.startsWith('docs/') && !file.endsWith('/index.md'));
  assert.deepEqual(
    missing.map(({ file }) => file).filter((file) => !linked.includes(file)),
    []
  );
  assert.ok(links(page('README.md').text).includes('docs/index.md'));
});

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
