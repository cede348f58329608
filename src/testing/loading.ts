import {
  type DataFrameJSON,
  dataFrameToJSON,
  type DataQueryRequest,
  dateTime,
  FieldType,
  toDataFrame,
} from '@grafana/data';

import { type InsightsQuery } from '../query';

/** A request from a panel with this visualization, for the last hour. */
export function requestOf(panelPluginId: string | undefined, ...targets: Array<Partial<InsightsQuery>>) {
  const [from, to] = [dateTime(3_600_000), dateTime(7_200_000)];
  return {
    app: 'dashboard',
    requestId: 'Q1',
    panelPluginId,
    range: { from, to, raw: { from: 'now-1h', to: 'now' } },
    intervalMs: 1000,
    maxDataPoints: 500,
    scopedVars: {},
    targets: targets.map((target, index) => ({ refId: 'ABC'[index], ...target })),
  } as unknown as DataQueryRequest<InsightsQuery>;
}

/** Rows as the backend returns them. */
export function rowsOf(...ids: number[]): DataFrameJSON {
  return dataFrameToJSON(toDataFrame({ name: 'tasks', fields: [{ name: 'id', type: FieldType.number, values: ids }] }));
}
