import { from, map, type Observable, of, throwError } from 'rxjs';

import {
  CustomVariableSupport,
  type DataFrame,
  type DataQueryRequest,
  type DataQueryResponse,
  type MetricFindValue,
} from '@grafana/data';
import { type DataSourceWithBackend } from '@grafana/runtime';

import { type DataSet, findDataSet, measures } from '../schema/datasets';
import { VariableEditor } from './editor/VariableEditor';
import { type Templates } from './interpolate';
import { normalize } from './normalize';
import { type InsightsQuery, type InsightsVariableQuery, isEmpty, type SentQuery, withParts } from './query';
import { type InsightsJsonData } from './settings';
import { daysBack, type EditorSource, fetchSuggestions } from './suggestions';
import { invalidText } from './texts';

type Source = DataSourceWithBackend<InsightsQuery, InsightsJsonData> & EditorSource;

/** Provides the values of query variables. */
export class VariableSupport extends CustomVariableSupport<
  Source,
  InsightsVariableQuery,
  InsightsQuery,
  InsightsJsonData
> {
  editor = VariableEditor;

  constructor(
    private readonly datasource: Source,
    private readonly templates: Templates
  ) {
    super();
  }

  getDefaultQuery(): Partial<InsightsVariableQuery> {
    return { queryType: 'automations', field: 'label' };
  }

  query(request: DataQueryRequest<InsightsVariableQuery>): Observable<DataQueryResponse> {
    // As in Grafana's editor, which shows the default if a query contains nothing.
    const { query, invalid } = normalize(request.targets[0]);
    const target: InsightsVariableQuery = { ...this.getDefaultQuery(), ...query };
    const replace = (text: string | undefined) => text && this.templates.replace(text, request.scopedVars);
    const queryType = replace(target.queryType);
    const dataSet = findDataSet(queryType);
    if (!dataSet || !isEmpty(invalid)) {
      return throwError(() => new Error(invalidText(dataSet ? invalid : { queryType })));
    }
    const field = replace(target.field);
    if (!field) {
      return of({ data: [] });
    }
    const search = replace(target.search);
    if (target.filters?.length) {
      const targets = [filteredQuery(target, dataSet, field)];
      return this.datasource
        .query({ ...request, targets })
        .pipe(map(({ data, ...response }) => ({ ...response, data: frameValues(data, field, dataSet, search) })));
    }
    const days = target.days ?? daysBack(request.range);
    return from(fetchSuggestions(this.datasource, dataSet, field, { days, search })).pipe(map((data) => ({ data })));
  }
}

/** The list of values doesn't support filters. Groups do: there is a row for each value. */
function filteredQuery({ refId, days, filters }: InsightsVariableQuery, dataSet: DataSet, field: string): SentQuery {
  const name = nameField(dataSet, field);
  const query: InsightsQuery = withParts(
    { refId },
    {
      queryType: dataSet.name,
      days,
      filters,
      format: 'numeric',
      measure: measures(dataSet)[0].name,
      groupBy: name ? [field, name] : [field],
      sort: { field, order: 'asc' },
    }
  );
  return { ...query, shape: 'long' };
}

function frameValues(
  frames: DataFrame[],
  field: string,
  dataSet: DataSet,
  search: string | undefined
): MetricFindValue[] {
  const fields = frames[0]?.fields ?? [];
  const column = (name: string | undefined) => fields.find((candidate) => candidate.name === name)?.values ?? [];
  const texts = column(nameField(dataSet, field));
  const contained = search?.toLowerCase() ?? '';
  return column(field)
    .map((value, row) => ({ value: String(value), text: String(texts[row] || value) }))
    .filter(({ value, text }) => value && `${value}\n${text}`.toLowerCase().includes(contained));
}

/** The field with the display name of a row's key. */
function nameField({ searchField, nameField: name }: DataSet, field: string): string | undefined {
  return field === searchField ? name : undefined;
}
