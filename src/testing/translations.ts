import { readdirSync, readFileSync } from 'fs';
import ts from 'typescript';

import { reasons } from '../../schema/attention';
import { type DataSet, dataSets, namedFields } from '../../schema/datasets';
import { sentences } from '../../schema/findings';
import { dashed, type Setting, settings } from '../../schema/settings';

/** Texts by key. */
export type Texts = Record<string, string>;

/** The texts in a locale file. */
export function localeTexts(language: string): Texts {
  return flatten(JSON.parse(readFileSync(`src/locales/${language}/insights-reporting-datasource.json`, 'utf8')));
}

/**
 * The English texts by the keys in the code, and by the keys that are derived from names in schema/.
 */
export function codeTexts(): Texts {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^testing/.test(file));
  const found = Object.entries(sentences).map(([key, text]): [string, string] => [`findings.${key}`, text]);
  return Object.fromEntries([
    ...sources.flatMap(sourceTexts),
    ...dataSets.flatMap(dataSetTexts),
    ...settingTexts(),
    ...reasons.map(({ name, description }): [string, string] => [`attention.${name}`, description]),
    ...found,
  ]);
}

function flatten(value: object, prefix = ''): Texts {
  const entries = Object.entries(value).map(([key, inner]) =>
    typeof inner === 'string' ? { [`${prefix}${key}`]: inner } : flatten(inner, `${prefix}${key}.`)
  );
  return Object.assign({}, ...entries);
}

function sourceTexts(file: string): Array<[string, string]> {
  const text = readFileSync(`src/${file}`, 'utf8');
  const found: Array<[string, string]> = [];
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 't') {
      const [key, english] = node.arguments;
      if (ts.isStringLiteral(key) && ts.isStringLiteral(english)) {
        found.push([key.text, english.text]);
      }
    } else if (ts.isJsxElement(node) && node.openingElement.tagName.getText() === 'Trans') {
      const key = node.openingElement.attributes.getText().match(/i18nKey="(.+?)"/)?.[1] ?? '';
      found.push([key, node.children.map((child) => child.getText().trim()).join('')]);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return found;
}

function dataSetTexts(dataSet: DataSet): Array<[string, string]> {
  const { name, label, description, measures = [] } = dataSet;
  const prefix = `datasets.${name}`;
  return [
    [`${prefix}.label`, label],
    [`${prefix}.description`, description],
    ...namedFields(dataSet).map((field): [string, string] => [`${prefix}.fields.${field.name}`, field.description]),
    ...measures.map((measure): [string, string] => [
      `${prefix}.measures.${measure.name}.description`,
      measure.description,
    ]),
  ];
}

function settingTexts(): Array<[string, string]> {
  return Object.entries<Setting>(settings).flatMap(
    ([name, { section, label, help, placeholder, valueLabels = {} }]) => {
      const texts: Record<string, string | undefined> = section
        ? { label, description: help, placeholder, ...valueLabels }
        : {};
      return Object.entries(texts).flatMap(([key, text]): Array<[string, string]> =>
        text === undefined ? [] : [[`config.${dashed(name)}.${key}`, text]]
      );
    }
  );
}
