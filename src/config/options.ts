import { isPlainObject, omit } from 'lodash';

import { type DataSourcePluginOptionsEditorProps } from '@grafana/data';
import { t } from '@grafana/i18n';

import { isEmpty, textOf } from '../query/query';
import { defaultSettings, type InsightsJsonData, type InsightsSecureJsonData } from '../settings';

/** The props that Grafana passes to the config editor. */
export type ConfigProps = DataSourcePluginOptionsEditorProps<InsightsJsonData, InsightsSecureJsonData>;
export type Options = ConfigProps['options'];

export type Switch =
  'incrementalQuerying' | 'tlsSkipVerify' | 'tlsAuth' | 'tlsAuthWithCACert' | 'enableSecureSocksProxy';

export type Secret = keyof InsightsSecureJsonData & string;

/**
 * Sets a setting. Undefined, an empty text, or a switch at its default removes it, so that the backend's default applies.
 */
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

/** Sets a secret, which is sent to the backend when the settings are saved. */
export function withSecret(options: Options, name: Secret, value: string): Options {
  return { ...options, secureJsonData: { ...options.secureJsonData, [name]: value } };
}

/** Clears a saved secret: an empty text overwrites it when the settings are saved. */
export function withoutSecret(options: Options, name: Secret): Options {
  return withSecret({ ...options, secureJsonFields: { ...options.secureJsonFields, [name]: false } }, name, '');
}

/** The properties of a provisioned value that should have some. */
export function propertiesOf(value: unknown): Record<string, unknown> | undefined {
  return isPlainObject(value) ? (value as Record<string, unknown>) : undefined;
}

/** Sets a property. An empty value removes it. */
export function withProperty(value: unknown, name: string, changed: unknown): Record<string, unknown> {
  return { ...omit(propertiesOf(value), name), ...(!isEmpty(changed) && { [name]: changed }) };
}

/** Connects a control to a setting. */
export function settingProps<K extends keyof InsightsJsonData>({ options, onOptionsChange }: ConfigProps, name: K) {
  return {
    value: options.jsonData[name],
    disabled: options.readOnly,
    onChange: (value: InsightsJsonData[K]) => onOptionsChange(withSetting(options, name, value)),
  };
}

/** Connects an input to a text, which a provisioning file may contain as another type. The backend refuses that. */
export function textProps(props: ConfigProps, name: keyof InsightsJsonData) {
  const { value, ...rest }: { value?: unknown } & ReturnType<typeof settingProps> = settingProps(props, name);
  if (value == null || typeof value === 'string') {
    return { ...rest, value: value ?? undefined };
  }
  const text = textOf(value);
  const of = { value: text, interpolation: { escapeValue: false } };
  const problem = t('config.text.problem', '{{value}} is not a text: put it in quotes in the provisioning file', of);
  return { ...rest, value: text, problem };
}

/** A setting as the backend reads it: a text has no spaces around it, and an empty one stands for the default. */
export function readSetting({ jsonData }: Options, name: keyof InsightsJsonData): string {
  const defaults: InsightsJsonData = defaultSettings;
  return textOf(jsonData[name]).trim() || String(defaults[name] ?? '');
}

/** Whether a switch is on. It is text if a provisioning file takes it from an environment variable. */
export const isOn = (options: Options, name: keyof InsightsJsonData): boolean => readSetting(options, name) === 'true';

/** Connects a switch to a setting. Anything else than true and false is refused by the backend. */
export function switchProps(props: ConfigProps, name: Switch) {
  const value = readSetting(props.options, name);
  const isSwitch = ['', 'true', 'false'].includes(value);
  const of = { value, interpolation: { escapeValue: false } };
  const problem = t('config.switch.problem', '"{{value}}" is neither true nor false: use the switch to replace it', of);
  return { ...settingProps(props, name), value: value === 'true', problem: isSwitch ? undefined : problem };
}

/** Connects a control to a secret. */
export function secretProps({ options, onOptionsChange }: ConfigProps, name: Secret) {
  return {
    value: options.secureJsonData?.[name],
    isConfigured: Boolean(options.secureJsonFields?.[name]),
    disabled: options.readOnly,
    onChange: (value: string) => onOptionsChange(withSecret(options, name, value)),
    onReset: () => onOptionsChange(withoutSecret(options, name)),
  };
}

/** Describes what is wrong with a base URL; undefined while it is empty. */
export function urlProblem(url: string): string | undefined {
  if (url === '') {
    return undefined;
  }
  if (!/^https?:\/\//i.test(url)) {
    return t('config.url.scheme', 'The URL must start with http:// or https://');
  }
  // A browser repairs an address without a host.
  const parsed = /^\w+:\/\/[^/?#\\]/.test(url) ? parseUrl(url) : undefined;
  if (!parsed) {
    return t('config.url.invalid', 'Enter a valid URL, such as https://insights.example.com');
  }
  if (parsed.username || parsed.password || /^[^/?#]*\/\/[^/?#]*@/.test(url)) {
    return t('config.url.credentials', 'Remove the user name and password from the URL: use Login and Key instead');
  }
  if (parsed.search || parsed.hash || url.endsWith('?') || url.endsWith('#')) {
    return t('config.url.query', 'The URL must not contain a query string or fragment');
  }
  return undefined;
}

function parseUrl(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}
