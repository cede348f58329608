import '../testing/dom';
import { screen } from '@testing-library/react';
import i18next from 'i18next';

import { initPluginTranslations } from '@grafana/i18n';

import { ConfigEditor } from '../config/ConfigEditor';
import { QueryEditor } from '../editor/QueryEditor';
import { loadResources } from '../loadResources';
import pluginJson from '../plugin.json';
import { selectors } from '../selectors';
import { configure } from '../testing/configuring';
import { choose, edit, openMore } from '../testing/editing';
import { codeTexts, localeTexts } from '../testing/translations';

interface Words {
  dataSet: string;
  tasks: string;
  automations: string;
  days: string;
  number: string;
  notAllowed: string;
  reset: RegExp;
  advanced: string;
  scheme: string;
}

const languages: Array<[string, Words]> = [
  [
    'pt-BR',
    {
      ...{
        dataSet: 'Conjunto de dados',
        tasks: 'Tarefas',
        automations: 'Automações',
        days: 'Últimos dias',
        number: 'Número',
      },
      notAllowed: '"0" não é permitido: informe um número inteiro de no mínimo 1',
      reset: /^Redefinido, .*: Ordenar por$/,
      advanced: 'Avançado',
      scheme: 'A URL deve começar com http:// ou https://',
    },
  ],
  [
    'es-ES',
    {
      ...{
        dataSet: 'Conjunto de datos',
        tasks: 'Tareas',
        automations: 'Automatizaciones',
        days: 'Últimos días',
        number: 'Número',
      },
      notAllowed: 'No se admite "0": introduzca un número entero de al menos 1',
      reset: /^Restablecido, .*: Ordenar por$/,
      advanced: 'Avanzado',
      scheme: 'La URL debe empezar por http:// o https://',
    },
  ],
];

const english = Object.entries(codeTexts());

/** Visible English texts, as text, label, or placeholder. */
function untranslated(container: HTMLElement, language: string): string[] {
  const translated = localeTexts(language);
  const expected = english
    .filter(([key, text]) => translated[key] !== text && /[a-z]{3}/.test(text) && !text.includes('{{'))
    .map(([, text]) => text);
  const placeholders = [...container.querySelectorAll('[placeholder]')].map((input) =>
    input.getAttribute('placeholder')
  );
  const labels = [...container.querySelectorAll('[aria-label]')].map((element) => element.getAttribute('aria-label'));
  const texts = [...container.querySelectorAll('*')].filter(({ children }) => children.length === 0);
  const seen = new Set([...texts.map(({ textContent }) => textContent), ...placeholders, ...labels]);
  return expected.filter((text) => seen.has(text));
}

describe.each(languages)('%s', (language, words) => {
  beforeAll(async () => {
    // By now, Grafana has loaded its own texts and therefore has a language.
    await i18next.init({ lng: language, resources: { [language]: { grafana: { save: 'OK' } } } });
    await initPluginTranslations(pluginJson.id, [loadResources]);
  });

  it('is used by the query editor', async () => {
    const { user, container } = edit(QueryEditor, { sort: { field: 'id', order: 'asc' } });
    await openMore(user);
    expect(screen.getByLabelText(words.dataSet)).toHaveValue(words.tasks);
    await user.click(screen.getByTestId(selectors.query.filterAdd));
    expect(untranslated(container, language)).toEqual([]);

    await user.type(screen.getByLabelText(words.days), '0{Enter}');
    expect(screen.getByText(words.notAllowed)).toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: words.number }));
    expect(screen.getByText(words.reset)).toBeInTheDocument();
    await choose(user, screen.getByTestId(selectors.query.dataSet), words.automations);
    expect(untranslated(container, language)).toEqual([]);
  });

  it('is used by the config editor', async () => {
    const { user, container } = configure(ConfigEditor, {
      url: 'x',
      jsonData: { tlsAuth: true, tlsAuthWithCACert: true, httpHeaderName1: 'X' },
      secureJsonFields: { key: true },
    });
    await user.click(screen.getByText(words.advanced));
    expect(screen.getByText(words.scheme)).toBeInTheDocument();
    expect(untranslated(container, language)).toEqual([]);
  });
});
