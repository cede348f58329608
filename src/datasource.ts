import { map, type Observable } from 'rxjs';

import {
  type AdHocVariableFilter,
  type CoreApp,
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceGetDrilldownsApplicabilityOptions,
  type DataSourceGetRecommendedDrilldownsOptions,
  type DataSourceGetTagKeysOptions,
  type DataSourceGetTagValuesOptions,
  type DataSourceInstanceSettings,
  type DrilldownRecommendation,
  type DrilldownsApplicability,
  type GetTagResponse,
  type ScopedVars,
  type TestDataSourceResponse,
} from '@grafana/data';
import { DataSourceWithBackend, getTemplateSrv, HealthCheckError } from '@grafana/runtime';

import { tagKeys, tagValues, withAdHocFilters, withLeftOut } from './adhoc';
import { annotationSupport } from './annotations';
import { checkOf, publishReport, unsavedSettings } from './check';
import { drilldownsApplicability, groupByKeys, recommendedDrilldowns, withGroupByKeys } from './drilldowns';
import { interpolateQuery } from './interpolate';
import { defaultQuery, type InsightsQuery, type SentQuery } from './query';
import { type InsightsJsonData } from './settings';
import { daysBack, followsNow, messageOf } from './suggestions';
import { describeQuery } from './texts';
import { VariableSupport } from './variables';
import { withEmptyTimelines, withHiddenKeys, withPointsInRange, withShape } from './visualization';

/** Interpolates variables and sends queries to the backend, which does everything else. */
export class DataSource extends DataSourceWithBackend<InsightsQuery, InsightsJsonData> {
  annotations = annotationSupport;

  constructor(
    instanceSettings: DataSourceInstanceSettings<InsightsJsonData>,
    private readonly templates = getTemplateSrv()
  ) {
    super(instanceSettings);
    this.variables = new VariableSupport(this, templates);
  }

  query(request: DataQueryRequest<InsightsQuery>): Observable<DataQueryResponse> {
    const targets = request.targets.map((query) => withGroupByKeys(query, request.groupByKeys));
    const asked = withShape(withClock({ ...request, targets }));
    const queries = new Map(
      asked.targets.map((query) => [query.refId, interpolateQuery(query, asked.scopedVars, this.templates)])
    );
    return super.query(asked).pipe(
      map((response) => {
        const frames = response.data.map((frame) => {
          const query = queries.get(frame.refId);
          return query ? withLeftOut(frame, query, request.filters) : frame;
        });
        return {
          ...response,
          data: withHiddenKeys(withPointsInRange(withEmptyTimelines(frames, asked), asked), asked),
        };
      })
    );
  }

  /**
   * Like Grafana's own, with the report of the check in the user's language, and with a warning status, which Grafana
   * doesn't have.
   */
  async testDatasource(): Promise<TestDataSourceResponse> {
    const { status, message, details, report } = checkOf(await this.callHealthCheck(), unsavedSettings());
    publishReport(this.uid, report);
    if (status === 'error') {
      return Promise.reject({ status, message, error: new HealthCheckError(message, { ...details }) });
    }
    return { status, message, details: { ...details } };
  }

  getDefaultQuery(app: CoreApp): Partial<InsightsQuery> {
    return defaultQuery(app);
  }

  getQueryDisplayText(query: InsightsQuery): string {
    return describeQuery(query);
  }

  filterQuery(query: InsightsQuery): boolean {
    return !query.hide;
  }

  applyTemplateVariables(query: InsightsQuery, scopedVars: ScopedVars, filters?: AdHocVariableFilter[]): InsightsQuery {
    return withAdHocFilters(interpolateQuery(query, scopedVars, this.templates), filters);
  }

  interpolateVariablesInQueries(
    queries: InsightsQuery[],
    scopedVars: ScopedVars,
    filters?: AdHocVariableFilter[]
  ): InsightsQuery[] {
    return queries.map((query) => ({
      ...this.applyTemplateVariables(query, scopedVars, filters),
      datasource: this.getRef(),
    }));
  }

  async getTagKeys({ queries }: Partial<DataSourceGetTagKeysOptions<InsightsQuery>> = {}): Promise<GetTagResponse> {
    return { data: tagKeys(queries) };
  }

  async getTagValues(options: DataSourceGetTagValuesOptions<InsightsQuery>): Promise<GetTagResponse> {
    const { key, queries, timeRange } = options;
    try {
      return { data: await tagValues(this, key, queries, daysBack(timeRange)) };
    } catch (error) {
      return { data: [], error: { message: messageOf(error) } };
    }
  }

  async getGroupByKeys({ queries }: Partial<DataSourceGetTagKeysOptions<InsightsQuery>> = {}): Promise<GetTagResponse> {
    return { data: groupByKeys(queries) };
  }

  async getDrilldownsApplicability(
    options: Partial<DataSourceGetDrilldownsApplicabilityOptions<InsightsQuery>> = {}
  ): Promise<DrilldownsApplicability[]> {
    return drilldownsApplicability({ queries: [], ...options });
  }

  async getRecommendedDrilldowns({
    queries,
  }: Partial<DataSourceGetRecommendedDrilldownsOptions<InsightsQuery>> = {}): Promise<DrilldownRecommendation> {
    return recommendedDrilldowns(queries);
  }

  /** Names of the dashboard's variables; an alert rule has none. */
  variableNames(): string[] {
    return this.templates.getVariables().map(({ name }) => name);
  }
}

/**
 * Adds what the backend can't know: the calendar for days, weeks, and months, and whether the time range ends now. Such
 * a range keeps its moments while a panel is edited, and would soon look as if it had ended. Both are sent but never
 * saved; a saved time zone takes precedence over the dashboard's.
 */
export function withClock(request: DataQueryRequest<InsightsQuery>): DataQueryRequest<SentQuery> {
  const timezone = zoneName(request.timezone);
  const parts = followsNow(request.range) ? { untilNow: true } : {};
  return { ...request, targets: request.targets.map((query) => ({ timezone, ...query, ...parts })) };
}

function zoneName(timezone: string): string {
  return timezone === 'browser' ? Intl.DateTimeFormat().resolvedOptions().timeZone : timezone;
}
