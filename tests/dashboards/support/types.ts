/** A saved query in a file: unchecked, so that the tests find what is invalid. */
export type Query = Record<string, unknown>;

/** One alert rule of a provisioning file. */
export interface Rule {
  uid: string;
  title: string;
  /** Absent in a recording rule. */
  condition?: string;
  record?: { metric: string; from: string; targetDatasourceUid: string };
  data: Array<{
    refId: string;
    datasourceUid: string;
    relativeTimeRange: { from: number; to: number };
    model: Query;
  }>;
  for?: string;
  noDataState?: string;
  execErrState?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

export interface RuleGroup {
  name: string;
  folder: string;
  interval: string;
  rules: Rule[];
}
