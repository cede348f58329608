/** A data source as Grafana passes it to a plugin; the key is in plain text, for this process only. */
export interface DataSource {
  uid: string;
  name: string;
  url: string;
  jsonData: Record<string, unknown>;
  secureJsonData: Record<string, string>;
  /** Time of the last save: a newer time makes the backend create a new instance. */
  updated: number;
}

/** The result of a health check, in Grafana's terms. */
export interface Health {
  status: 'OK' | 'ERROR' | 'UNKNOWN';
  message: string;
  details?: unknown;
}

/** One query of a request; `json` contains everything that the plugin saved. */
export interface Query {
  refId: string;
  json: Record<string, unknown>;
  from: number;
  to: number;
  intervalMs: number;
  maxDataPoints: number;
}

/** The response for one refId, with its frames still in Arrow. */
export interface QueryResult {
  frames: Uint8Array[];
  error: string;
  errorSource: string;
  status: number;
}

/** A call of one of the plugin's resources. */
export interface ResourceRequest {
  method: string;
  /** Path below `resources/`, without a leading slash. */
  path: string;
  /** Path including the query string. */
  url: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
}

/** The complete response of a resource, joined from its parts. */
export interface ResourceResponse {
  status: number;
  headers: Record<string, string[]>;
  body: Buffer;
}
