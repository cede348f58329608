import type { DataSourceApi, DataSourceInstanceSettings } from '@grafana/data';
import type { DataSourceSrv } from '@grafana/runtime';
import type { SavedSettings } from './install';

/** The one data source of the page, as it stands after the last save. */
export interface Current {
  saved: SavedSettings;
  settings: DataSourceInstanceSettings;
  api: DataSourceApi;
}

/** Knows the workbench's data source and no other. */
export function dataSourceSrv({ settings, api }: Current): DataSourceSrv {
  return {
    get: async () => api,
    getList: () => [settings],
    getInstanceSettings: () => settings,
    reload: async () => undefined,
    registerRuntimeDataSource: () => undefined,
  };
}
