import '../testing/dom';
import { screen, within } from '@testing-library/react';
import i18next from 'i18next';

import { initPluginTranslations } from '@grafana/i18n';

import { ConfigEditor } from '../config/ConfigEditor';
import { QueryEditor } from '../editor/QueryEditor';
import pluginJson from '../plugin.json';
import { selectors } from '../selectors';
import { configure } from '../testing/configuring';
import { check, edit, openMore } from '../testing/editing';
import { englishTexts, languages, localeTexts, resources, type Texts } from '../testing/translations';

const english = Object.entries(englishTexts());

const filled = (text: string, values: Texts) => text.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]);

/** Visible English texts, as text, label, or placeholder. */
function untranslated(container: HTMLElement, texts: Texts): string[] {
  const expected = english
    .filter(([key, text]) => texts[key] !== text && /[a-z]{3}/.test(text) && !text.includes('{{'))
    .map(([, text]) => text);
  const placeholders = [...container.querySelectorAll('[placeholder]')].map((input) =>
    input.getAttribute('placeholder')
  );
  const labels = [...container.querySelectorAll('[aria-label]')].map((element) => element.getAttribute('aria-label'));
  const elements = [...container.querySelectorAll('*')].filter(({ children }) => children.length === 0);
  const seen = new Set([...elements.map(({ textContent }) => textContent), ...placeholders, ...labels]);
  return expected.filter((text) => seen.has(text));
}

describe.each(languages)('%s', (language) => {
  const texts = localeTexts(language);

  beforeAll(async () => {
    // By now, Grafana has loaded its own texts and those of the plugin.
    const own = { grafana: { save: 'OK' }, [pluginJson.id]: resources(language) };
    await i18next.init({ lng: language, resources: { [language]: own } });
    await initPluginTranslations(pluginJson.id);
  });

  it('is used by the query editor', async () => {
    const { user, container } = edit(QueryEditor, { sort: { field: 'id', order: 'asc' } });
    await openMore(user);
    const dataSets = screen.getByRole('radiogroup', { name: texts['editor.data-set.label'] });
    expect(within(dataSets).getByRole('radio', { name: texts.Tasks })).toBeChecked();
    await user.click(screen.getByTestId(selectors.query.filterAdd));
    expect(untranslated(container, texts)).toEqual([]);

    await user.type(screen.getByLabelText(texts['editor.days.label']), '0{Enter}');
    expect(screen.getByText(filled(texts['number.at-least'], { value: '0', min: '1' }))).toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: texts['editor.format.numeric'] }));
    const parts = { dataSet: texts.Tasks, format: texts['editor.format.numeric'], parts: texts['editor.sort.label'] };
    expect(screen.getByText(filled(texts['editor.reset'], parts))).toBeInTheDocument();
    await check(user, selectors.query.dataSet, texts.Automations);
    expect(untranslated(container, texts)).toEqual([]);
  });

  it('is used by the config editor', async () => {
    const { user, container } = configure(ConfigEditor, {
      url: 'x',
      jsonData: { tlsAuth: true, tlsAuthWithCACert: true, httpHeaderName1: 'X' },
      secureJsonFields: { key: true },
    });
    await user.click(screen.getByText(texts['config.advanced.label']));
    expect(screen.getByText(texts['config.url.scheme'])).toBeInTheDocument();
    expect(untranslated(container, texts)).toEqual([]);
  });
});
