import { type DataQueryRequest, type QueryResultMetaNotice } from '@grafana/data';
import { t } from '@grafana/i18n';

import { type InsightsJsonData } from '../settings';

/**
 * The languages of bundled dashboards other than English, as the setting Names calls them, by the end of their UIDs. They are
 * not those of schema/settings.json: every dashboard would load the texts of the settings page.
 */
const languages: Record<string, { names: InsightsJsonData['names']; label: string }> = {
  'pt-br': { names: 'pt-BR', label: 'Português (Brasil)' },
  'es-es': { names: 'es-ES', label: 'Español' },
};

/**
 * Says in the tables of a bundled dashboard which setting has to change if the columns are called in another language
 * than the rest of the dashboard.
 */
export function languageNotice(
  { dashboardUID = '', panelPluginId }: Pick<DataQueryRequest, 'dashboardUID' | 'panelPluginId'>,
  names: InsightsJsonData['names']
): QueryResultMetaNotice | undefined {
  const [, end] = /^insights-.+-([a-z]{2}-[a-z]{2})$/.exec(dashboardUID) ?? [];
  const language = languages[end];
  if (!language || language.names === names || panelPluginId !== 'table') {
    return undefined;
  }
  const text = t(
    'board-language.names',
    'The names of columns are in another language than this dashboard: set Names to {{language}} in the settings of the data source',
    { language: language.label, interpolation: { escapeValue: false } }
  );
  return { severity: 'info', text };
}
