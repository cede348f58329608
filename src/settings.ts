import { type DataSourceJsonData } from '@grafana/data';

import { described } from '../settings/settings';

/** How rates of the service are shown: its scale is not published. */
export type RateScale = 'auto' | 'fraction' | 'percent';

/** Settings that are not secret; provisioning files use these names. */
export interface InsightsJsonData extends DataSourceJsonData {
  login?: string;
  organization?: string;
  runnersPath?: string;
  /** Seconds for one request; Grafana's own name. */
  timeout?: number;
  maxConcurrentRequests?: number;
  /** Seconds that a read is reused; 0 switches it off. */
  cacheTTL?: number;
  maxRows?: number;
  /** Rows asked for in one page; 0: the service's own. */
  pageSize?: number;
  /** A repeated read asks for what may have changed and keeps the rest. */
  incrementalQuerying?: boolean;
  /** Seconds after which a repeated read is whole again; 0: always. */
  fullReadInterval?: number;
  rateScale?: RateScale;
  /** ISO 4217 code of the workspace's money; absent: amounts have no unit. */
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

/** What the backend does where a setting is absent; the editor shows it as placeholder. */
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
} satisfies InsightsJsonData;
