import { described } from '../../../schema/settings';
import { partNames } from '../../../src/query/parts';
import { filesBelow, read } from './pages';

/** The Go sources of the plugin. Packages whose names end in "test" are only for tests. */
const goFiles = filesBelow('pkg', /(?<!_test)\.go$/).filter((file) => !/\w+test\//.test(file));

/** The sentences of "Save & test", which both sides use: values replace `{{name}}`. */
const findings: string[] = Object.values(
  (JSON.parse(read('schema/findings.json')) as { findings: Record<string, { text: string }> }).findings
).map(({ text }) => text);

/** The names of the settings in messages. */
const settingTitles = Object.entries(described).map(([name, { in: place, label }]) => `${label} (${place}.${name})`);

/** Every quoted text in the Go sources, and the sentences and names that they read from a file. */
export const goTexts: string[] = [...goFiles.flatMap((file) => textsIn(read(file))), ...findings, ...settingTitles];

function textsIn(source: string): string[] {
  return [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, text]) => text.replaceAll('\\"', '"'));
}

/** Texts of the frontend by key, as in the code: the English ones. */
export const uiTexts: Map<string, string> = new Map(
  filesBelow('src', /(?<!\.test)\.tsx?$/).flatMap((file) =>
    [...read(file).matchAll(/\bt\(\s*'([\w.-]+)',\s*'((?:[^'\\]|\\.)*)'/g)].map(([, key, text]): [string, string] => [
      key,
      text,
    ])
  )
);

/** The properties of a saved query that are not Grafana's own. */
export const savedProperties: string[] = partNames;
