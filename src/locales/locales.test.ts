import { englishTexts, languages, localeTexts } from '../testing/translations';

const english = englishTexts();
const placeholders = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort();

it('finds the texts of the code and of schema/', () => {
  expect(english).toMatchObject({
    'editor.data-set.label': 'Data set',
    'config.headers.add': 'Add header',
    'Task identifier': 'Task identifier',
  });
});

describe.each(languages)('%s', (language) => {
  const texts = localeTexts(language);

  it('has exactly the same keys', () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
  });

  it('leaves no text empty', () => {
    expect(Object.values(texts).filter((text) => !text.trim())).toEqual([]);
  });

  it('has the same placeholders in a text', () => {
    for (const [key, text] of Object.entries(english)) {
      expect([key, placeholders(texts[key])]).toEqual([key, placeholders(text)]);
    }
  });

  it('agrees with English at most in single words, such as Login', () => {
    const same = Object.keys(english).filter((key) => texts[key] === english[key]);
    expect(same.filter((key) => /\s/.test(english[key]))).toEqual([]);
  });
});
