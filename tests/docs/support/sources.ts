import { sentences } from '../../../schema/findings';
import { described } from '../../../schema/settings';
import { filesBelow, read } from './pages';

/** The Go sources of the plugin. Packages whose names end in "test" are only for tests. */
const goFiles = filesBelow('pkg', /(?<!_test)\.go$/).filter((file) => !/\w+test\//.test(file));

/** The names of the settings in messages. */
const settingTitles = Object.entries(described).map(([name, { in: place, label }]) => `${label} (${place}.${name})`);

/** Every quoted text in the Go sources, and the sentences and names that they read from a file. */
export const goTexts: string[] = [
  ...goFiles.flatMap((file) => textsIn(read(file))),
  ...Object.values(sentences),
  ...settingTitles,
];

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
