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
import { choose, edit } from '../testing/editing';
import { codeTexts, localeTexts } from '../testing/translations';

const portuguese = localeTexts('pt-BR');
const english = Object.entries(codeTexts())
  .filter(([key, text]) => portuguese[key] !== text && /[a-z]{3}/.test(text) && !text.includes('{{'))
  .map(([, text]) => text);

/** English texts that are in sight, as text or placeholder. */
function untranslated(container: HTMLElement): string[] {
  const placeholders = [...container.querySelectorAll('[placeholder]')].map((input) =>
    input.getAttribute('placeholder')
  );
  const labels = [...container.querySelectorAll('[aria-label]')].map((element) => element.getAttribute('aria-label'));
  const texts = [...container.querySelectorAll('*')].filter(({ children }) => children.length === 0);
  const seen = new Set([...texts.map(({ textContent }) => textContent), ...placeholders, ...labels]);
  return english.filter((text) => seen.has(text));
}

beforeAll(async () => {
  // Grafana has texts of its own by now, and so a language.
  await i18next.init({ lng: 'pt-BR', resources: { 'pt-BR': { grafana: { save: 'Salvar' } } } });
  await initPluginTranslations(pluginJson.id, [loadResources]);
});

it('is what the query editor speaks', async () => {
  const { user, container } = edit(QueryEditor, { sort: { field: 'id', order: 'asc' } });
  expect(screen.getByLabelText('Conjunto de dados')).toHaveValue('Tarefas');
  await user.click(screen.getByTestId(selectors.query.filterAdd));
  expect(untranslated(container)).toEqual([]);

  await user.type(screen.getByLabelText('Dias'), '0{Enter}');
  expect(screen.getByText('“0” não é permitido: esperado um número inteiro a partir de 1')).toBeInTheDocument();
  await user.click(screen.getByRole('radio', { name: 'Número' }));
  await choose(user, screen.getByTestId(selectors.query.dataSet), 'Automações');
  expect(screen.getByText(/^Descartado: medida tasks/)).toBeInTheDocument();
  expect(untranslated(container)).toEqual([]);
});

it('is what the config editor speaks', async () => {
  const { user, container } = configure(ConfigEditor, {
    url: 'x',
    jsonData: { tlsAuth: true, tlsAuthWithCACert: true, httpHeaderName1: 'X' },
    secureJsonFields: { key: true },
  });
  await user.click(screen.getByText('Avançado'));
  expect(screen.getByText('Esperado um endereço que comece com http:// ou https://')).toBeInTheDocument();
  expect(untranslated(container)).toEqual([]);
});
