import { DataSourcePlugin } from '@grafana/data';
import { initPluginTranslations } from '@grafana/i18n';

import { DataSource } from './source/datasource';
import { type InsightsQuery } from './query/query';
import { type InsightsJsonData, type InsightsSecureJsonData } from './settings';
import pluginJson from './plugin.json';
import { whenOpened } from './controls/whenOpened';

// Grafana has loaded the texts of the user's language from locales/ before this module.
await initPluginTranslations(pluginJson.id);

export const plugin = new DataSourcePlugin<DataSource, InsightsQuery, InsightsJsonData, InsightsSecureJsonData>(
  DataSource
)
  .setConfigEditor(whenOpened(async () => (await import('./config/ConfigEditor')).ConfigEditor))
  .setQueryEditor(whenOpened(async () => (await import('./editor/QueryEditor')).QueryEditor))
  .setQueryEditorHelp(whenOpened(async () => (await import('./editor/Presets')).QueryHelp));
