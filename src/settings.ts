import { type DataSourceJsonData } from '@grafana/data';

import { settings, type SettingValues } from '../schema/settings';

/** Settings that are not secret, with the names in provisioning files. */
export interface InsightsJsonData extends DataSourceJsonData, SettingValues {
  tlsSkipVerify?: boolean;
  tlsAuth?: boolean;
  tlsAuthWithCACert?: boolean;
  serverName?: string;
  enableSecureSocksProxy?: boolean;
  [header: `httpHeaderName${number}`]: string | undefined;
}

/** Settings that only the backend can read. */
export interface InsightsSecureJsonData {
  key?: string;
  tlsCACert?: string;
  tlsClientCert?: string;
  tlsClientKey?: string;
  [header: `httpHeaderValue${number}`]: string | undefined;
}

/** The backend's defaults for absent settings, which the editor shows as placeholders. */
export const defaultSettings = Object.fromEntries(
  Object.entries(settings).flatMap(([name, setting]) => ('default' in setting ? [[name, setting.default]] : []))
) as SettingValues;
