import pluginJson from '../plugin.json';
import { loadResources } from '../loadResources';
import { codeTexts, localeTexts } from '../testing/translations';

const code = codeTexts();
const placeholders = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort();

it('finds the texts of the code', () => {
  expect(code['editor.data-set.label']).toBe('Data set');
  expect(code['config.headers.add']).toBe('Add header');
  expect(code['datasets.tasks.fields.id']).toBe('Task identifier');
});

it('matches the English texts in the code: no key is missing, none is unused', () => {
  expect(localeTexts('en-US')).toEqual(code);
});

describe.each(pluginJson.languages)('%s', (language) => {
  const texts = localeTexts(language);

  it('has exactly the same keys', () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(code).sort());
  });

  it('leaves no text empty', () => {
    expect(Object.values(texts).filter((text) => !text.trim())).toEqual([]);
  });

  it('has the same placeholders in a text', () => {
    for (const [key, text] of Object.entries(code)) {
      expect([key, placeholders(texts[key])]).toEqual([key, placeholders(text)]);
    }
  });
});

const languageNames = ['en-US', 'pt-BR', 'es-ES'].map((language) => `config.names.${language}`);

it.each([
  ['pt-BR', [...languageNames, 'config.advanced.links', 'config.login.label', 'datasets.runners.label']],
  [
    'es-ES',
    [...languageNames, 'config.login.label', 'datasets.runners.label', 'editor.limit.series', 'editor.variables'],
  ],
])('%s is translated, unless languages happen to agree', (language, agreed) => {
  const texts = localeTexts(language);
  const same = Object.keys(code).filter((key) => texts[key] === code[key]);
  expect(same.sort()).toEqual([...agreed].sort());
});

describe('loadResources', () => {
  it.each([
    ['pt-BR', 'Tarefas'],
    ['es-ES', 'Tareas'],
  ])('loads %s', async (language, tasks) => {
    expect(await loadResources(language)).toHaveProperty(['datasets', 'tasks', 'label'], tasks);
  });

  it('returns nothing for a language without texts, so that English is shown', async () => {
    expect(await loadResources('fr-FR')).toEqual({});
  });
});
