import { compact, uniq, uniqBy } from 'lodash';
import { map, type Observable } from 'rxjs';

import {
  type AdHocVariableFilter,
  CoreApp,
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceGetTagKeysOptions,
  type DataSourceGetTagValuesOptions,
  type DataSourceInstanceSettings,
  type DataSourceWithToggleableQueryFiltersSupport,
  type GetTagResponse,
  type ScopedVars,
  type TestDataSourceResponse,
} from '@grafana/data';
import { DataSourceWithBackend, getTemplateSrv, HealthCheckError, toDataQueryError } from '@grafana/runtime';

import { ignoredFilterNotice, tagKeys, tagValues, withAdHocFilters } from './adhoc';
import { annotationSupport } from './annotations';
import { hasFilterFor, modifyFilters, toggleFilter } from './cellFilters';
import { defaultLinks, defaultVariables } from './defaultControls';
import { needsRows, withNoticesOnce } from './frames';
import { defaultQuery } from '../query/firstQuery';
import { interpolateQuery, unknownVariables } from '../query/interpolate';
import { shownQuery } from '../query/shown';
import { type InsightsQuery, type InsightsVariableQuery, type SentQuery } from '../query/query';
import { type InsightsJsonData } from '../settings';
import { followsNow } from './suggestions';
import { isEdited } from '../panel/scene';
import { describeQuery, unknownText } from '../query/texts';
import { VariableSupport } from './variables';

/** Interpolates variables and sends queries to the backend, which does everything else. */
export class DataSource
  extends DataSourceWithBackend<InsightsQuery, InsightsJsonData>
  implements DataSourceWithToggleableQueryFiltersSupport<InsightsQuery>
{
  getDefaultQuery = defaultQuery;
  getQueryDisplayText = describeQuery;
  /** Explore offers "Filter for value" and "Filter out value" in a table if this exists. */
  modifyQuery = modifyFilters;
  toggleQueryFilter = toggleFilter;
  queryHasFilter = hasFilterFor;

  constructor(
    instanceSettings: DataSourceInstanceSettings<InsightsJsonData>,
    private readonly templates = getTemplateSrv()
  ) {
    super(instanceSettings);
    this.annotations = annotationSupport(templates);
    this.variables = new VariableSupport(this, templates);
    this.getDefaultVariables = () => defaultVariables(instanceSettings);
    this.getDefaultLinks = () => defaultLinks(instanceSettings);
  }

  query(request: DataQueryRequest<InsightsQuery>): Observable<DataQueryResponse> {
    const asked = request.targets.map((saved) => ({ saved, meant: this.resolve(saved, request.scopedVars) }));
    const targets = asked.map(({ saved, meant }) => {
      // A variable without a value is the same as no time zone.
      const timezone = meant.timezone ? saved.timezone : zoneName(request.timezone);
      return { ...saved, timezone, ...addedBy(request, meant) };
    });
    return super.query({ ...request, targets }).pipe(
      map((response) => {
        const data = uniq(response.data.map(({ refId }) => refId)).flatMap((refId) => {
          const query = asked.find(({ saved }) => saved.refId === refId);
          const frames = response.data.filter((frame) => frame.refId === refId);
          const unknown = query && unknownText(this.unknownVariables(query.saved, request.scopedVars));
          const added = [
            query && ignoredFilterNotice(query.meant, request.filters),
            unknown && { severity: 'warning' as const, text: unknown },
          ];
          return withNoticesOnce(frames, compact(added));
        });
        return { ...response, ...errorsOf(response, request), data };
      })
    );
  }

  /**
   * Like Grafana's own, with the report of the check in the user's language, and with a warning status, which Grafana
   * doesn't have.
   */
  async testDatasource(): Promise<TestDataSourceResponse> {
    // Dashboards don't need its sentences.
    const { checkOf, publishReport } = await import('./check');
    const { status, message, details, report } = checkOf(await this.callHealthCheck());
    publishReport(this.uid, report);
    if (status === 'error') {
      return Promise.reject({ status, message, error: new HealthCheckError(message, { ...details }) });
    }
    return { status, message, details: { ...details } };
  }

  filterQuery(query: InsightsQuery): boolean {
    return !query.hide;
  }

  applyTemplateVariables(query: InsightsQuery, scopedVars: ScopedVars, filters?: AdHocVariableFilter[]): InsightsQuery {
    return withAdHocFilters(interpolateQuery(query, scopedVars, this.templates), filters);
  }

  /** What a saved query means with the values of variables. It is not sent: only the backend reads queries. */
  private resolve(saved: InsightsQuery, scopedVars: ScopedVars = {}): InsightsQuery {
    return shownQuery(interpolateQuery(saved, scopedVars, this.templates));
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
    return { data: tagKeys(queries?.map((query) => this.resolve(query))) };
  }

  async getTagValues(options: DataSourceGetTagValuesOptions<InsightsQuery>): Promise<GetTagResponse> {
    const queries = options.queries?.map((query) => this.resolve(query));
    try {
      return { data: await tagValues(this, { ...options, queries }) };
    } catch (error) {
      return { data: [], error: { message: toDataQueryError(error).message } };
    }
  }

  variableNames(): string[] {
    return this.templates.getVariables().map(({ name }) => name);
  }

  unknownVariables(saved: InsightsQuery | InsightsVariableQuery, scopedVars: ScopedVars = {}): string[] {
    return unknownVariables(saved, scopedVars, this.templates);
  }
}

// What the backend can't know: which rows the visualization lists, and whether the time range ends now. It keeps its moments
// while a panel is edited, and would soon look as if it had ended. Both are sent but never saved, as is the time zone, unless
// the query has its own.
function addedBy(request: DataQueryRequest, resolved: InsightsQuery): Partial<SentQuery> {
  return {
    ...(needsRows(resolved, request) && { shape: 'long' }),
    ...(followsNow(request.range) && { untilNow: true }),
  };
}

/** A panel lists the errors of all its queries: the same one of many is said once. An editor shows each below its query. */
function errorsOf({ errors }: DataQueryResponse, request: DataQueryRequest) {
  return errors && !isBeingEdited(request) && { errors: uniqBy(errors, 'message') };
}

const isBeingEdited = (request: DataQueryRequest) => request.app === CoreApp.Explore || isEdited(request);

function zoneName(timezone: string): string {
  return timezone === 'browser' ? Intl.DateTimeFormat().resolvedOptions().timeZone : timezone;
}
