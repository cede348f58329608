import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDocument } from 'yaml';
import { described, type Setting } from '../../schema/settings';
import { blocks, code, rows, section } from './support/markdown';
import { page, pages } from './support/pages';

const { text } = page('docs/configuration.md');
const [, ...listed] = rows(section(text, 'Settings'));

const pathOf = ([name, { in: place }]: [string, Setting]) => (place === 'root' ? name : `${place}.${name}`);
const all = Object.entries<Setting>(described);

describe('settings', () => {
  test('complete', () => {
    assert.deepEqual(listed.flatMap(([, name]) => code(name)).sort(), all.map(pathOf).sort());
  });

  for (const entry of all) {
    const [name, setting] = entry;
    test(`${name} matches its description`, () => {
      const [label, , shown, meaning] = listed.find(([, cell]) => cell === `\`${pathOf(entry)}\``)!;
      assert.equal(label, setting.label);
      assert.deepEqual(code(shown), setting.default === undefined ? [] : [`${setting.default}`], 'default');
      assert.ok(meaning.replaceAll('`', '').startsWith(setting.description), `meaning: ${setting.description}`);
      const values = setting.type === 'boolean' ? ['true', 'false'] : (setting.values ?? []);
      assert.deepEqual(
        values.filter((value) => !code(meaning).includes(value)),
        []
      );
      assert.ok(setting.min === undefined || meaning.includes(`${setting.min} to ${setting.max}`), 'range');
    });
  }
});

const grafanas = /^(tls\w+|serverName|enableSecureSocksProxy|httpHeader(Name|Value)\d+)$/;
const known = Object.keys(described);

interface SourceFile {
  datasources?: Array<{ type: string; jsonData?: object; secureJsonData?: object }>;
}

describe('provisioning examples use settings that exist', () => {
  for (const { file, text: content } of pages) {
    for (const [index, block] of blocks(content)
      .filter(({ language }) => language === 'yaml')
      .entries()) {
      test(`${file}, YAML ${index + 1}`, () => {
        const { datasources = [] } = (parseDocument(block.code).toJS() ?? {}) as SourceFile;
        for (const { type, jsonData, secureJsonData } of datasources) {
          assert.equal(type, 'insights-reporting-datasource');
          const names = Object.keys({ ...jsonData, ...secureJsonData });
          assert.deepEqual(
            names.filter((name) => !known.includes(name) && !grafanas.test(name)),
            []
          );
        }
      });
    }
  }
});
