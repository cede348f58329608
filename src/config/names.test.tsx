import { screen } from '@testing-library/react';

import { described } from '../../schema/settings';
import { selectors } from '../selectors';
import { configure } from '../testing/configuring';
import { ConfigEditor } from './ConfigEditor';
import { type Options } from './options';

const mockLanguage = jest.fn(() => 'en-US');
jest.mock('../query/texts', () => ({ ...jest.requireActual('../query/texts'), language: () => mockLanguage() }));

const { values } = described.names;
const labels: Record<string, string> = described.names.valueLabels;
const radio = (name: string) => screen.getByRole('radio', { name });

it('offers every value, and saves the selected one, be it the default', async () => {
  const { user, saved } = configure(ConfigEditor);
  expect(screen.getAllByRole('radio')).toHaveLength(values.length);
  expect(radio('English')).toBeChecked();
  for (const value of [...values].reverse()) {
    await user.click(radio(labels[value]));
    expect(saved.options.jsonData.names).toBe(value);
  }
});

describe('the language of the user', () => {
  beforeEach(() => mockLanguage.mockReturnValue('pt-BR'));
  afterEach(() => mockLanguage.mockReturnValue('en-US'));

  it('is proposed for a new data source', () => {
    const { saved } = configure(ConfigEditor);
    expect(saved.options.jsonData).toEqual({ names: 'pt-BR' });
    expect(radio('Português (Brasil)')).toBeChecked();
  });

  it('does not override a selection', async () => {
    const { user, saved } = configure(ConfigEditor);
    await user.click(radio('English'));
    expect(saved.options.jsonData).toEqual({ names: 'en-US' });
  });

  it.each<[string, Partial<Options>]>([
    ['has an address', { url: 'https://insights.example.com' }],
    ['has a login', { jsonData: { login: 'me' } }],
    ['has a key', { secureJsonFields: { key: true } }],
    ['has names', { jsonData: { names: 'es-ES' } }],
    ['is provisioned', { readOnly: true }],
    ['was saved before', { version: 2 }],
  ])('is not proposed for a data source that %s', (_, parts) => {
    expect(configure(ConfigEditor, parts).onOptionsChange).not.toHaveBeenCalled();
  });

  it('is not proposed for an existing data source that is emptied', async () => {
    const { user, saved } = configure(ConfigEditor, { url: 'https://x', jsonData: { login: 'me' } });
    await user.clear(screen.getByTestId(selectors.config.url));
    await user.clear(screen.getByTestId(selectors.config.login));
    expect(saved.options.jsonData).toEqual({});
  });

  it('is not proposed if the plugin has no names in it', () => {
    mockLanguage.mockReturnValue('ja-JP');
    expect(configure(ConfigEditor).onOptionsChange).not.toHaveBeenCalled();
  });
});
