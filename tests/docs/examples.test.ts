import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { type Document, parseDocument } from 'yaml';
import type { Rule, RuleGroup } from '../dashboards/support/files';
import { blocks, code, rows, section } from './support/markdown';
import { filesBelow, page, pages, read, root } from './support/pages';

function rulesIn(document: Document): Rule[] {
  const groups: RuleGroup[] = document.toJS()?.groups ?? [];
  return groups.flatMap(({ rules }) => rules);
}

function checkRule({ data, condition, record, annotations = {} }: Rule) {
  const ids = data.map(({ refId }) => refId);
  assert.ok(ids.includes(condition ?? record?.from ?? ''), "the result of the rule is from a query that doesn't exist");
  for (const text of Object.values(annotations).filter((one) => one.includes('$'))) {
    assert.match(
      text,
      /^\{\{ if \$values \}\}|\{\{ with index \$labels /,
      'without values, there are no labels either'
    );
  }
  for (const { refId, datasourceUid, model } of data) {
    assert.equal(model.refId, refId);
    if (datasourceUid === '__expr__') {
      assert.ok(ids.includes(String(model.expression)), `${refId} uses ${model.expression}, which doesn't exist`);
    } else {
      assert.equal(model.format, 'numeric', 'rules query numbers');
    }
  }
}

for (const { file, text } of pages) {
  describe(`${file}: YAML`, () => {
    for (const [index, { code: yaml }] of blocks(text)
      .filter(({ language }) => language === 'yaml')
      .entries()) {
      test(`YAML ${index + 1}`, () => {
        const document = parseDocument(yaml);
        assert.deepEqual(document.errors, []);
        rulesIn(document).forEach(checkRule);
      });
    }
  });
}

test('the example rules have their names, files, and states', () => {
  const [, ...listed] = rows(section(page('docs/alerting.md').text, 'Example rules'));
  const folder = 'provisioning/alerting';
  const found = filesBelow(folder, /\.yaml$/).flatMap((file) =>
    rulesIn(parseDocument(read(file))).map(({ title, noDataState }) => [
      title,
      file.slice(folder.length + 1),
      noDataState,
    ])
  );
  assert.deepEqual(listed.map(([title, file, state]) => [title, ...code(file), ...code(state)]).sort(), found.sort());
});

test('the script for many workspaces copies the rule for each, with its labels and links', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rules-'));
  t.after(() => rmSync(folder, { recursive: true }));
  copyFileSync(path.join(root, 'provisioning/alerting/attention.yaml'), path.join(folder, 'attention.yaml'));
  const script = blocks(page('docs/alerting.md').text).find(({ language }) => language === 'bash')!.code;
  execFileSync('bash', ['-euc', script], { cwd: folder });
  for (const uid of ['insights-north', 'insights-south']) {
    const copy = parseDocument(readFileSync(path.join(folder, `attention-${uid}.yaml`), 'utf8'));
    const [{ name, rules }]: RuleGroup[] = copy.toJS().groups;
    assert.equal(name, `Insights attention ${uid}`);
    const [{ uid: ruleUid, data, annotations }] = rules;
    assert.equal(ruleUid, `attention-${uid}`);
    assert.equal(data[0].datasourceUid, uid);
    assert.deepEqual(data[0].model.groupBy, ['activityLabel', 'organizationLabel', 'team']);
    assert.ok(annotations?.dashboard.includes(`&var-datasource=${uid}&var-automation=`), annotations?.dashboard);
  }
});
