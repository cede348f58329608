import attention from './attention.json';
import datasets from './datasets.json';
import findings from './findings.json';
import settings from './settings.json';

type Texts = Record<string, string>;
type Node = Record<string, unknown>;

/**
 * The translations next to the texts of this folder, by the text in English. The build removes them from module.js, and
 * adds those of each language to its texts in locales/, of which Grafana loads only the user's.
 */
export function translationsIn(language: string): Texts {
  const texts: Texts = {};
  for (const [english, text] of [attention, datasets, findings, settings].flatMap((node) => pairs(node, language))) {
    if ((texts[english] ??= text) !== text) {
      throw new Error(`${JSON.stringify(english)} has two translations in ${language}: ${texts[english]}, and ${text}`);
    }
  }
  return texts;
}

/** The texts of an object and of all that it contains, each in English and in the language. */
function pairs(node: unknown, language: string): Array<[string, string]> {
  if (typeof node !== 'object' || node === null) {
    return [];
  }
  const { translations, ...english } = node as Node & { translations?: Record<string, Node> };
  const inside = Object.values(english).flatMap((each) => pairs(each, language));
  return [...pairsOf(english, translations?.[language]), ...inside];
}

function pairsOf(english: Node, translated: Node = {}): Array<[string, string]> {
  return Object.entries(translated).flatMap(([name, text]) =>
    typeof text === 'string' ? [[String(english[name]), text]] : pairsOf(english[name] as Node, text as Node)
  );
}
