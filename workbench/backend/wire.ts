/** A data source as Grafana hands it to a plugin; the key in plain text, for this process only. */
export interface DataSource {
  uid: string;
  name: string;
  url: string;
  jsonData: Record<string, unknown>;
  secureJsonData: Record<string, string>;
  /** When the settings were saved last: a newer time makes the backend start a new instance. */
  updated: number;
}

/** Answer of a health check, in Grafana's words. */
export interface Health {
  status: 'OK' | 'ERROR' | 'UNKNOWN';
  message: string;
  details?: unknown;
}

/** One query of a request; everything that the plugin saved stands in `json`. */
export interface Query {
  refId: string;
  json: Record<string, unknown>;
  from: number;
  to: number;
  intervalMs: number;
  maxDataPoints: number;
}

/** What came back for one refId, its frames still in Arrow. */
export interface QueryResult {
  frames: Uint8Array[];
  error: string;
  errorSource: string;
  status: number;
}

/** A call to one of the plugin's resources. */
export interface ResourceRequest {
  method: string;
  /** Path below `resources/`, without a leading slash. */
  path: string;
  /** Path with the query string. */
  url: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
}

/** The whole answer of a resource: its parts put together. */
export interface ResourceResponse {
  status: number;
  headers: Record<string, string[]>;
  body: Buffer;
}
