import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDocument } from 'yaml';
import { described } from '../../settings/settings';
import { defaultSettings } from '../../src/settings';
import { blocks, code, rows, section } from './support/markdown';
import { page, pages } from './support/pages';
import { uiTexts } from './support/sources';

const { text } = page('docs/configuration.md');
const [, ...listed] = rows(section(text, 'Settings'));

// Names and defaults on which dashboards and provisioning files rely.
const contract: Record<string, string | number | boolean | undefined> = {
  url: undefined,
  'jsonData.login': undefined,
  'secureJsonData.key': undefined,
  'jsonData.organization': undefined,
  'jsonData.runnersPath': '/api/v1/insights/runner',
  'jsonData.rateScale': 'auto',
  'jsonData.names': 'en-US',
  'jsonData.currency': undefined,
  'jsonData.timeout': 30,
  'jsonData.maxConcurrentRequests': 8,
  'jsonData.cacheTTL': 60,
  'jsonData.maxRows': 100_000,
  'jsonData.pageSize': 500,
  'jsonData.incrementalQuerying': true,
  'jsonData.fullReadInterval': 600,
};

interface Described {
  in: string;
  label: string;
  type: string;
  description: string;
  default?: string | number | boolean;
  min?: number;
  max?: number;
  values?: string[];
}

describe('settings', () => {
  test('complete', () => {
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

  for (const [name, setting] of Object.entries<Described>(described)) {
    test(`${name} matches its description`, () => {
      const path = setting.in === 'root' ? name : `${setting.in}.${name}`;
      const [label, , , meaning, range] = listed.find(([, cell]) => cell === `\`${path}\``)!;
      assert.equal(label, setting.label);
      assert.equal(contract[path], setting.default);
      assert.ok(meaning.replaceAll('`', '').startsWith(setting.description), `meaning: ${setting.description}`);
      const values = setting.type === 'boolean' ? ['true', 'false'] : setting.values;
      assert.equal(setting.type === 'integer', / to /.test(range));
      assert.ok(setting.type !== 'integer' || range === `${setting.min} to ${setting.max}`, range);
      assert.ok(values === undefined || range === values.map((value) => `\`${value}\``).join(', '), range);
    });
  }

  test('the description matches the contract', () => {
    const paths = Object.entries<Described>(described).map(([name, { in: place }]) =>
      place === 'root' ? name : `${place}.${name}`
    );
    assert.deepEqual(paths.sort(), Object.keys(contract).sort());
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
