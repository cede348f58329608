import { type DataSourcePluginOptionsEditorProps } from '@grafana/data';
import { t } from '@grafana/i18n';

import { defaultSettings, type InsightsJsonData, type InsightsSecureJsonData } from '../settings';

/** What Grafana gives to the config editor. */
export type ConfigProps = DataSourcePluginOptionsEditorProps<InsightsJsonData, InsightsSecureJsonData>;
export type Options = ConfigProps['options'];

type Secret = keyof InsightsSecureJsonData & string;

/** Sets a setting; nothing, an empty text or a switch at its default removes it, so that the backend's default applies. */
export function withSetting<K extends keyof InsightsJsonData>(
  options: Options,
  name: K,
  value: InsightsJsonData[K]
): Options {
  const jsonData: InsightsJsonData = { ...options.jsonData, [name]: value };
  const defaults: InsightsJsonData = defaultSettings;
  if (value === undefined || value === '' || (typeof value === 'boolean' && value === (defaults[name] ?? false))) {
    delete jsonData[name];
  }
  return { ...options, jsonData };
}

/** Sets a secret that is sent to the backend when the settings are saved. */
export function withSecret(options: Options, name: Secret, value: string): Options {
  return { ...options, secureJsonData: { ...options.secureJsonData, [name]: value } };
}

/** Forgets a saved secret: an empty text overwrites it when the settings are saved. */
export function withoutSecret(options: Options, name: Secret): Options {
  return withSecret({ ...options, secureJsonFields: { ...options.secureJsonFields, [name]: false } }, name, '');
}

/** Says what is wrong with a base URL; nothing while it is empty. */
export function urlProblem(url: string): string | undefined {
  if (url === '') {
    return undefined;
  }
  const parsed = parseUrl(url);
  if (!parsed) {
    return t('config.url.scheme', 'Expected an address that starts with http:// or https://');
  }
  if (parsed.username || parsed.password) {
    return t('config.url.credentials', 'Expected an address without user name and password: use login and key');
  }
  if (parsed.search || parsed.hash || url.endsWith('?') || url.endsWith('#')) {
    return t('config.url.query', 'Expected an address that ends before any ? or #');
  }
  return undefined;
}

function parseUrl(url: string): URL | undefined {
  try {
    return /^https?:\/\//i.test(url) ? new URL(url) : undefined;
  } catch {
    return undefined;
  }
}

/** Says what is wrong with the path of the runners route; nothing while it is empty. */
export function pathProblem(path: string): string | undefined {
  return path === '' || /^\/[^?#\s]*$/.test(path)
    ? undefined
    : t('config.runners-path.problem', 'Expected a path that starts with / and has no ?, # or space');
}

/** Says what is wrong with a currency code; nothing while it is empty. Whether there is such a currency, the backend says. */
export function currencyProblem(code: string): string | undefined {
  return code.trim() === '' || /^[a-z]{3}$/i.test(code.trim())
    ? undefined
    : t('config.currency.problem', 'Expected a code of three letters, such as BRL, EUR or USD');
}
