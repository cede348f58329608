import { described } from '../../../settings/settings';
import { filesBelow, read } from './pages';

/** The Go sources of the plugin. Packages whose names end in "test" are only for tests. */
const goFiles = filesBelow('pkg', /(?<!_test)\.go$/).filter((file) => !/\w+test\//.test(file));

/** The sentences of "Save & test", which both sides use: values replace `{{name}}`. */
export const findings: string[] = Object.values(
  (JSON.parse(read('findings/findings.json')) as { findings: Record<string, { text: string }> }).findings
).map(({ text }) => text);

/** The names of the settings in messages. */
const settingTitles = Object.entries(described).map(([name, { in: place, label }]) => `${label} (${place}.${name})`);

/** Every quoted text in the Go sources, and the sentences and names that they read from a file. */
export const goTexts: string[] = [...goFiles.flatMap((file) => textsIn(read(file))), ...findings, ...settingTitles];

/** Texts with a minimum length in the sentences that the Go sources create for users. */
export function goSentences(least: number): string[] {
  const makes =
    /(inputerror\.Errorf|settingsErrorf|\.problem|newError)\(|\.?Message\s*(:|=|:=)\s|warnings = append|\badd\(|Sprintf\($|return .*Sprintf\(|text := fmt|\benglish\(/;
  const lines = goFiles.flatMap((file) => read(file).split('\n'));
  // The text can begin on the next line.
  const made = lines.filter(
    (line, index) => makes.test(line) || /(Errorf|Error|Sprintf)\($/.test(lines[index - 1] ?? '')
  );
  return made
    .flatMap(textsIn)
    .map(longestPart)
    .filter((part) => part.length >= least);
}

function textsIn(source: string): string[] {
  return [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, text]) => text.replaceAll('\\"', '"'));
}

/** The longest part of a format between two of its verbs. */
function longestPart(format: string): string {
  const parts = format.split(/%[\d.]*[a-z]/).map((part) => part.trim());
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
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

/** Filter operators, as the frontend declares them. Its module can't be imported here: it requires a browser. */
export const operators: string[] = [
  ...(/operators = \[(.*)\] as const/.exec(read('src/query.ts'))?.[1] ?? '').matchAll(/'([^']+)'/g),
].map(([, operator]) => operator);
