/** A saved query in a file: unchecked, so that the tests find what is invalid. */
export type Query = Record<string, unknown>;

export interface GridPos {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Override {
  matcher: { id: string; options?: unknown };
  properties: Array<{ id: string; value?: unknown }>;
}

/** A link on a value or in a cell. */
export interface Link {
  title: string;
  url: string;
}

/** The properties of a panel that the tests use. */
export interface Panel {
  id: number;
  type: string;
  title?: string;
  description?: string;
  gridPos: GridPos;
  targets?: Query[];
  fieldConfig?: { defaults?: Record<string, unknown>; overrides?: Override[] };
  options?: { reduceOptions?: { fields?: string }; sortBy?: Array<{ displayName: string }> };
  transformations?: Array<{ id: string; options: unknown }>;
}

export interface Variable {
  name: string;
  type: string;
  label?: string;
  query?: unknown;
}

/** The properties of a dashboard that the tests use. */
export interface Dashboard {
  id: number | null;
  uid: string;
  title: string;
  description?: string;
  tags: string[];
  schemaVersion: number;
  time: { from: string; to: string };
  templating: { list: Variable[] };
  links: Array<{ type: string; tags?: string[] }>;
  panels: Panel[];
}

/** One alert rule of a provisioning file. */
export interface Rule {
  uid: string;
  title: string;
  condition: string;
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
