import { type DataSourceJsonData } from '@grafana/data';

import { described } from '../settings/settings';

/** How the service's rates are shown: their scale is not published. */
export type RateScale = 'auto' | 'fraction' | 'percent';

/** The language of names in every response, or the names of the API. */
export type Names = 'en-US' | 'pt-BR' | 'es-ES' | 'api';

/** Settings that are not secret, with the names in provisioning files. */
export interface InsightsJsonData extends DataSourceJsonData {
  login?: string;
  organization?: string;
  runnersPath?: string;
  /** Time limit for one request, in seconds; Grafana's own name. */
  timeout?: number;
  maxConcurrentRequests?: number;
  /** Seconds for which a read is reused; 0 turns the cache off. */
  cacheTTL?: number;
  maxRows?: number;
  /** Rows to request per page; 0: the service's own size. */
  pageSize?: number;
  /** A repeated read requests what may have changed and keeps the rest. */
  incrementalQuerying?: boolean;
  /** Seconds after which a repeated read is full again; 0: always. */
  fullReadInterval?: number;
  rateScale?: RateScale;
  names?: Names;
  /** ISO 4217 code of the workspace's currency; absent: amounts have no unit. */
  currency?: string;
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
export const defaultSettings = {
  runnersPath: described.runnersPath.default,
  timeout: described.timeout.default,
  maxConcurrentRequests: described.maxConcurrentRequests.default,
  cacheTTL: described.cacheTTL.default,
  maxRows: described.maxRows.default,
  pageSize: described.pageSize.default,
  incrementalQuerying: described.incrementalQuerying.default,
  fullReadInterval: described.fullReadInterval.default,
  rateScale: described.rateScale.default as RateScale,
  names: described.names.default as Names,
} satisfies InsightsJsonData;
