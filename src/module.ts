import { DataSourcePlugin } from '@grafana/data';
import { initPluginTranslations } from '@grafana/i18n';

import { ConfigEditor } from './config';
import { DataSource } from './datasource';
import { QueryEditor } from './editor/QueryEditor';
import { type InsightsQuery } from './query';
import { type InsightsJsonData, type InsightsSecureJsonData } from './settings';
import pluginJson from './plugin.json';

// Grafana has loaded the texts of the user's language from locales/ before this module.
await initPluginTranslations(pluginJson.id);

export const plugin = new DataSourcePlugin<DataSource, InsightsQuery, InsightsJsonData, InsightsSecureJsonData>(
  DataSource
)
  .setConfigEditor(ConfigEditor)
  .setQueryEditor(QueryEditor);
