import {
  type DataSourceApi,
  type DataSourceInstanceSettings,
  type DataSourceJsonData,
  type DataSourcePluginMeta,
  type DataSourceSettings,
  type GrafanaTheme2,
  setTimeZoneResolver,
} from '@grafana/data';
import { initPluginTranslations } from '@grafana/i18n';
import {
  config,
  type DataSourceSrv,
  setBackendSrv,
  setDataSourceSrv,
  setTemplateSrv,
  type TemplateSrv,
} from '@grafana/runtime';

import type { Plugin } from '../plugin';
import { backendSrv } from './backend-srv';

/** The saved settings, as Grafana's API returns them. */
type SavedSettings = DataSourceSettings<DataSourceJsonData>;

const settingsUrl = '/api/datasources/uid/insights';

/** Sets up everything that Grafana's packages expect. Must run before the plugin is loaded. */
export async function installServices(theme: GrafanaTheme2): Promise<void> {
  config.theme2 = theme;
  setTimeZoneResolver(() => 'browser');
  setBackendSrv(backendSrv);
  setTemplateSrv(templateSrv);
  // Starts the translation library that the plugin shares with the page; Grafana's own texts stay in English.
  await initPluginTranslations('grafana');
}

function instanceSettings(saved: SavedSettings, meta: DataSourcePluginMeta): DataSourceInstanceSettings {
  const { id, uid, type, name, jsonData } = saved;
  const url = `/api/datasources/proxy/uid/${uid}`;
  return { id, uid, type, name, jsonData, url, meta, access: 'proxy', readOnly: false };
}

/** The data source with its saved settings, recreated after each save, as in Grafana. */
export async function openDataSource(plugin: Plugin, meta: DataSourcePluginMeta): Promise<Current> {
  const saved = await backendSrv.get<SavedSettings>(settingsUrl);
  const settings = instanceSettings(saved, meta);
  const api = new plugin.DataSourceClass(settings);
  api.components = plugin.components;
  const current = { saved, settings, api };
  setDataSourceSrv(dataSourceSrv(current));
  return current;
}

/** Saves the contents of the config editor. */
export async function saveSettings(settings: SavedSettings): Promise<void> {
  await backendSrv.put(settingsUrl, settings);
}

/** The only data source of the page, as of the last save. */
export interface Current {
  saved: SavedSettings;
  settings: DataSourceInstanceSettings;
  api: DataSourceApi;
}

/** Knows only the workbench's data source. */
function dataSourceSrv({ settings, api }: Current): DataSourceSrv {
  return {
    get: async () => api,
    getList: () => [settings],
    getInstanceSettings: () => settings,
    reload: async () => undefined,
    registerRuntimeDataSource: () => undefined,
  };
}

const variable = /\$(\w+)|\[\[(\w+?)(?::(\w+))?]]|\$\{(\w+)(?:[.:][^}]*)?}/;

/** There are no dashboards here and therefore no variables: texts don't change. */
const templateSrv: TemplateSrv = {
  getVariables: () => [],
  replace: (target) => target ?? '',
  containsTemplate: (target) => target !== undefined && variable.test(target),
  updateTimeRange: () => undefined,
};
