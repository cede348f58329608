import os from 'node:os';
import type { DataSource } from './wire';

/** Id of the plugin in `src/plugin.json`. */
export const pluginId = 'insights-reporting-datasource';

const grafanaVersion = '13.1.0';

// Grafana's defaults. The SDK reads them before it answers the first query.
const grafanaConfig: Record<string, string> = {
  GF_APP_URL: 'http://127.0.0.1:3000/',
  GF_CONCURRENT_QUERY_COUNT: '10',
  GF_USER_FACING_DEFAULT_ERROR: 'please inspect Grafana server log for details',
  GF_SQL_ROW_LIMIT: '1000000',
  GF_SQL_MAX_OPEN_CONNS_DEFAULT: '100',
  GF_SQL_MAX_IDLE_CONNS_DEFAULT: '100',
  GF_SQL_MAX_CONN_LIFETIME_SECONDS_DEFAULT: '14400',
};

/** The `PluginContext` of every call: the user and the data source. */
export function pluginContext(dataSource: DataSource) {
  return {
    orgId: 1,
    pluginId,
    pluginVersion: '1.0.0',
    user: { login: 'admin', name: 'Admin', email: 'admin@localhost', role: 'Admin' },
    userAgent: `Grafana/${grafanaVersion} (${os.platform()}; ${os.arch()})`,
    namespace: 'default',
    grafanaConfig,
    dataSourceInstanceSettings: {
      id: 1,
      uid: dataSource.uid,
      name: dataSource.name,
      url: dataSource.url,
      jsonData: Buffer.from(JSON.stringify(dataSource.jsonData)),
      decryptedSecureJsonData: dataSource.secureJsonData,
      lastUpdatedMS: dataSource.updated,
    },
  };
}
