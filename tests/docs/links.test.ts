import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { anchors, links } from './support/markdown';
import { page, pages, root } from './support/pages';

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
