import { map, type Observable } from 'rxjs';

import {
  type DataFrame,
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceApi,
  type MetricFindValue,
} from '@grafana/data';

import { type DataSet, measures } from '../../schema/datasets';
import { type InsightsQuery, type InsightsVariableQuery, type SentQuery, withParts } from '../query/query';

/** The part of the data source that runs queries. */
export type QuerySource = Pick<DataSourceApi<InsightsQuery>, 'query'>;

/** The response with the values of a field in the rows that match filters, in place of frames. */
export function filteredValues(
  source: QuerySource,
  request: Omit<DataQueryRequest<InsightsQuery>, 'targets'>,
  target: InsightsVariableQuery,
  dataSet: DataSet,
  field: string
): Observable<DataQueryResponse> {
  const response = source.query({ ...request, targets: [filteredQuery(target, dataSet, field)] });
  return (response as Observable<DataQueryResponse>).pipe(
    map(({ data, ...rest }) => ({ ...rest, data: frameValues(data, field, dataSet, target.search) }))
  );
}

/** The list of values doesn't support filters. Groups do: there is a row for each value. */
function filteredQuery({ refId, days, filters }: InsightsVariableQuery, dataSet: DataSet, field: string): SentQuery {
  const name = nameField(dataSet, field);
  const groups: SentQuery = {
    refId,
    queryType: dataSet.name,
    format: 'numeric',
    measure: measures(dataSet)[0].name,
    groupBy: name ? [field, name] : [field],
    sort: { field, order: 'asc' },
    shape: 'long',
  };
  return withParts(groups, { days, filters });
}

function frameValues(frames: DataFrame[], field: string, dataSet: DataSet, search?: string): MetricFindValue[] {
  const fields = frames[0]?.fields ?? [];
  const column = (name: string | undefined) => fields.find((candidate) => candidate.name === name)?.values ?? [];
  const texts = column(nameField(dataSet, field));
  const contained = search?.toLowerCase() ?? '';
  return column(field)
    .map((value, row) => ({ value: String(value), text: String(texts[row] || value) }))
    .filter(({ value, text }) => value && `${value}\n${text}`.toLowerCase().includes(contained));
}

function nameField({ searchField, nameField: name }: DataSet, field: string): string | undefined {
  return field === searchField ? name : undefined;
}
