import { readdirSync, readFileSync } from 'fs';
import ts from 'typescript';

import { reasons, sensitivities } from '../../schema/attention';
import attention from '../../schema/attention.json';
import { dataSets, measures, namedFields } from '../../schema/datasets';
import { sentences } from '../../schema/findings';
import { described, type Setting } from '../../schema/settings';
import { translationsIn } from '../../schema/translations';
import pluginJson from '../plugin.json';

/** Texts by key. */
export type Texts = Record<string, string>;

/** The languages other than English, whose texts are in the code and in schema/. */
export const languages = pluginJson.languages.filter((language) => language !== 'en-US');

/** The texts of a language, in the structure in which Grafana loads them. */
export function resources(language: string) {
  const own = JSON.parse(readFileSync(`src/locales/${language}/${pluginJson.id}.json`, 'utf8'));
  return { ...own, ...translationsIn(language) };
}

/** The texts of a language by key. */
export function localeTexts(language: string): Texts {
  return flatten(resources(language));
}

/** The English texts by key: those in the code, and those of schema/, which are their own keys. */
export function englishTexts(): Texts {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^testing/.test(file));
  return Object.fromEntries([...sources.flatMap(sourceTexts), ...schemaTexts().map((text) => [text, text])]);
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

function schemaTexts(): string[] {
  const named = [...dataSets, ...dataSets.flatMap((dataSet) => [...namedFields(dataSet), ...measures(dataSet)])];
  const settings = Object.entries<Setting>(described).flatMap(([name, { label, help, placeholder, valueLabels }]) => [
    ...[label, help, placeholder],
    // A language is called the same in every language.
    ...Object.values((name === 'names' ? { api: valueLabels?.api } : valueLabels) ?? {}),
  ]);
  return [
    ...[...named, ...reasons, ...sensitivities].flatMap(({ label, description }) => [label, description]),
    ...[...attention.fields, ...attention.robotStates, ...attention.dueStates, ...attention.dueFields].map(
      ({ label }) => label
    ),
    ...settings.filter((text) => text !== undefined),
    ...Object.values(sentences),
  ];
}
