import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDocument } from 'yaml';
import { defaultSettings } from '../../src/settings';
import { blocks, code, rows, section } from './support/markdown';
import { page, pages, read } from './support/pages';
import { uiTexts } from './support/sources';

const { text } = page('docs/configure.md');
const [, ...listed] = rows(section(text, 'Settings'));

// Names and defaults that dashboards and provisioning files rely on.
const contract: Record<string, string | number | boolean | undefined> = {
  url: undefined,
  'jsonData.login': undefined,
  'secureJsonData.key': undefined,
  'jsonData.organization': undefined,
  'jsonData.runnersPath': '/api/v1/insights/runner',
  'jsonData.rateScale': 'auto',
  'jsonData.currency': undefined,
  'jsonData.timeout': 30,
  'jsonData.maxConcurrentRequests': 8,
  'jsonData.cacheTTL': 60,
  'jsonData.maxRows': 100_000,
  'jsonData.pageSize': 500,
  'jsonData.incrementalQuerying': true,
  'jsonData.fullReadInterval': 600,
};

describe('settings', () => {
  test('none missing, none more', () => {
    assert.deepEqual(listed.flatMap(([, name]) => code(name)).sort(), Object.keys(contract).sort());
  });

  for (const [name, value] of Object.entries(contract)) {
    test(name, () => {
      const [label, , shown] = listed.find(([, cell]) => cell === `\`${name}\``)!;
      assert.deepEqual(code(shown), value === undefined ? [] : [`${value}`], 'default');
      const labels = [...uiTexts].filter(([key]) => /^config\.[\w-]+\.label$/.test(key)).map(([, english]) => english);
      assert.ok(labels.includes(label), `the page has no setting called ${label}`);
    });
  }

  test('defaults are those of the code', () => {
    const expected = Object.entries(contract).filter(([, value]) => value !== undefined);
    const names = expected.map(([name, value]) => [name.replace('jsonData.', ''), value]);
    assert.deepEqual(Object.fromEntries(names), { ...defaultSettings });
  });

  test('ranges are those of the backend', () => {
    const source = read('pkg/plugin/settings.go');
    for (const name of ['timeout', 'maxConcurrentRequests', 'cacheTTL', 'maxRows', 'pageSize', 'fullReadInterval']) {
      const numbers = new RegExp(
        `wholeNumber\\(".*jsonData\\.${name}\\)", [\\w.]+, [\\d_]+, ([\\d_]+), ([\\d_]+),`
      ).exec(source);
      const [least, most] = numbers!.slice(1).map((number) => Number(number.replaceAll('_', '')));
      const range = listed.find(([, cell]) => cell === `\`jsonData.${name}\``)!.at(-1);
      assert.equal(range, `${least} to ${most}`, name);
    }
  });
});

const grafanas = /^(tls\w+|serverName|enableSecureSocksProxy|httpHeader(Name|Value)\d+)$/;
const known = Object.keys(contract).map((name) => name.replace(/^\w+\./, ''));

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
