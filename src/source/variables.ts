import { from, map, type Observable, of, tap } from 'rxjs';

import { CustomVariableSupport, type DataQueryRequest, type DataQueryResponse } from '@grafana/data';
import { type DataSourceWithBackend } from '@grafana/runtime';

import { type DataSetName, getDataSet } from '../../schema/datasets';
import { type Templates } from '../query/interpolate';
import { type InsightsQuery, type InsightsVariableQuery } from '../query/query';
import { shownQuery } from '../query/shown';
import { unknownText } from '../query/texts';
import { type InsightsJsonData } from '../settings';
import { daysBack, type EditorSource, fetchSuggestions } from './suggestions';
import { filteredValues } from './values';
import { whenOpened } from '../controls/whenOpened';

const VariableEditor = whenOpened(async () => (await import('../editor/VariableEditor')).VariableEditor);

type Source = DataSourceWithBackend<InsightsQuery, InsightsJsonData> & EditorSource;

/** Provides the values of query variables. */
export class VariableSupport extends CustomVariableSupport<Source, InsightsVariableQuery> {
  editor = VariableEditor;

  constructor(
    private readonly datasource: Source,
    private readonly templates: Templates
  ) {
    super();
  }

  getDefaultQuery(): Partial<InsightsVariableQuery> {
    // Grafana also merges this into a saved query, so it must not add a field, which another data set may not have.
    return { queryType: 'automations' };
  }

  query(request: DataQueryRequest<InsightsVariableQuery>): Observable<DataQueryResponse> {
    // As in Grafana's editor, which shows the default if a query contains nothing.
    const target: InsightsVariableQuery = { ...this.getDefaultQuery(), ...shownQuery(request.targets[0]) };
    const replace = (text: string | undefined) => text && this.templates.replace(text, request.scopedVars);
    const queryType = replace(target.queryType);
    // The backend says what it doesn't know.
    const dataSet = { ...getDataSet(queryType), name: queryType as DataSetName };
    const field = target.field ? replace(target.field) : dataSet.searchField;
    if (!field) {
      return of({ data: [] });
    }
    const search = replace(target.search);
    const days = target.days ?? daysBack(request.range);
    const found: Observable<DataQueryResponse> = target.filters?.length
      ? filteredValues(this.datasource, request, { ...target, search }, dataSet, field)
      : from(fetchSuggestions(this.datasource, dataSet, field, { days, search })).pipe(map((data) => ({ data })));
    const unknown = unknownText(this.datasource.unknownVariables(target, request.scopedVars));
    return found.pipe(
      tap(({ data }) => {
        if (unknown && data.length === 0) {
          throw new Error(unknown);
        }
      })
    );
  }
}
