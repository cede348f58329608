import { type DataSourcePluginOptionsEditorProps } from '@grafana/data';

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
