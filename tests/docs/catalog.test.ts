import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { links, prose } from './support/markdown';
import { filesBelow, pages, read, root } from './support/pages';

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
