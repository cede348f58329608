import {
  type AdHocVariableFilter,
  type CoreApp,
  type DataSourceInstanceSettings,
  type ScopedVars,
} from '@grafana/data';
import { DataSourceWithBackend, getTemplateSrv } from '@grafana/runtime';

import { withAdHocFilters } from './adhoc';
import { interpolateQuery } from './interpolate';
import { defaultQuery, type InsightsQuery } from './query';
import { type InsightsJsonData } from './settings';

/** Sends queries to the backend, with their variables replaced; everything else happens there. */
export class DataSource extends DataSourceWithBackend<InsightsQuery, InsightsJsonData> {
  constructor(
    instanceSettings: DataSourceInstanceSettings<InsightsJsonData>,
    private readonly templates = getTemplateSrv()
  ) {
    super(instanceSettings);
  }

  getDefaultQuery(app: CoreApp): Partial<InsightsQuery> {
    return defaultQuery(app);
  }

  filterQuery(query: InsightsQuery): boolean {
    return !query.hide;
  }

  applyTemplateVariables(query: InsightsQuery, scopedVars: ScopedVars, filters?: AdHocVariableFilter[]): InsightsQuery {
    return withAdHocFilters(interpolateQuery(query, scopedVars, this.templates), filters);
  }

  /** Names of the dashboard's variables; an alert rule has none. */
  variableNames(): string[] {
    return this.templates.getVariables().map(({ name }) => name);
  }
}
