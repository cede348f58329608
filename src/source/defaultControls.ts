import { type DataSourceApi, type DataSourceInstanceSettings } from '@grafana/data';
import { t } from '@grafana/i18n';

import { getDataSet } from '../../schema/datasets';
import { labelOfName } from '../query/texts';
import { type InsightsJsonData } from '../settings';

type Source = DataSourceInstanceSettings<InsightsJsonData>;
type Controls<Name extends 'getDefaultVariables' | 'getDefaultLinks'> = ReturnType<NonNullable<DataSourceApi[Name]>>;

// Grafana 13 adds these to the controls menu of each dashboard with the data source, and saves neither. Grafana 12 asks for none.
const hide = 'inControlsMenu';

/** A picker of automations, for queries that refer to it. Its name is unlike any that a dashboard would give its own. */
export async function defaultVariables({ uid, type: group }: Source): Controls<'getDefaultVariables'> {
  const spec = { refId: 'A', queryType: 'automations' };
  const query = { kind: 'DataQuery' as const, group, version: 'v0', datasource: { name: uid }, spec };
  const label = labelOfName(getDataSet('tasks'), 'activityLabel');
  const values = { current: { text: '', value: '$__all' }, options: [], includeAll: true, multi: true, regex: '' };
  const shown = {
    hide,
    refresh: 'onDashboardLoad',
    sort: 'disabled',
    skipUrlSync: false,
    allowCustomValue: true,
  } as const;
  return [{ kind: 'QueryVariable', spec: { name: 'insightsAutomation', label, query, ...values, ...shown } }];
}

/** The orchestrator, if the settings name one of its pages. */
export async function defaultLinks({ jsonData }: Source): Controls<'getDefaultLinks'> {
  const page = jsonData.taskUrl || jsonData.automationUrl || jsonData.runnerUrl;
  const title = t('dashboard.orchestrator', 'Orchestrator');
  const link = { type: 'link', icon: 'external link', tooltip: '', tags: [] as string[], placement: hide } as const;
  const opened = { targetBlank: true, asDropdown: false, includeVars: false, keepTime: false };
  return page ? [{ title, url: new URL(page).origin, ...link, ...opened }] : [];
}
