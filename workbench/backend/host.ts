import { type Client, type ClientOptions, credentials } from '@grpc/grpc-js';

import { backendBinary } from './binary';
import { loadServices, openStream, readStream, shutdown, unary } from './calls';
import { pluginContext } from './context';
import { type BackendProcess, type LineSink, startProcess } from './process';
import type { DataSource, Health, Query, QueryResult, ResourceRequest, ResourceResponse } from './wire';

// Frames with many rows exceed gRPC's default limit of 4 MB. Grafana lifts the limit, too.
const options: ClientOptions = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };

interface Clients {
  data: Client;
  resource: Client;
  diagnostics: Client;
}

function connect(target: string): Clients {
  const services = loadServices();
  const insecure = credentials.createInsecure();
  return {
    data: new services.Data(target, insecure, options),
    resource: new services.Resource(target, insecure, options),
    diagnostics: new services.Diagnostics(target, insecure, options),
  };
}

function resourceRequest(dataSource: DataSource, request: ResourceRequest): object {
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => [name, { values: [value] }]);
  return { ...request, pluginContext: pluginContext(dataSource), headers: Object.fromEntries(headers) };
}

/** The running backend of the plugin, called over gRPC as Grafana calls it. */
export class Backend {
  private constructor(
    private readonly child: BackendProcess,
    private readonly clients: Clients
  ) {}

  /** Starts the binary; `onLine` receives each line that it logs. */
  static async start(onLine: LineSink = () => undefined): Promise<Backend> {
    const child = await startProcess(backendBinary(), onLine);
    return new Backend(child, connect(child.target));
  }

  get pid(): number {
    return this.child.pid;
  }

  async checkHealth(dataSource: DataSource, signal?: AbortSignal): Promise<Health> {
    const request = { pluginContext: pluginContext(dataSource), headers: {} };
    const { status, message, jsonDetails } = await unary(this.clients.diagnostics, 'CheckHealth', request, signal);
    const details: unknown = jsonDetails.length > 0 ? JSON.parse(jsonDetails.toString('utf8')) : undefined;
    return { status, message, details };
  }

  async queryData(
    dataSource: DataSource,
    queries: Query[],
    signal?: AbortSignal,
    headers: Record<string, string> = {}
  ): Promise<Record<string, QueryResult>> {
    const request = {
      pluginContext: pluginContext(dataSource),
      headers,
      queries: queries.map((query) => ({
        refId: query.refId,
        queryType: typeof query.json.queryType === 'string' ? query.json.queryType : '',
        json: Buffer.from(JSON.stringify({ refId: query.refId, ...query.json })),
        intervalMS: query.intervalMs,
        maxDataPoints: query.maxDataPoints,
        timeRange: { fromEpochMS: query.from, toEpochMS: query.to },
      })),
    };
    return (await unary(this.clients.data, 'QueryData', request, signal)).responses;
  }

  callResource(dataSource: DataSource, request: ResourceRequest, signal?: AbortSignal): Promise<ResourceResponse> {
    return readStream(this.clients.resource, resourceRequest(dataSource, request), signal);
  }

  /** Calls a resource whose response the caller reads, at its own pace. */
  openResource(dataSource: DataSource, request: ResourceRequest) {
    return openStream(this.clients.resource, resourceRequest(dataSource, request));
  }

  /** The plugin's own metrics, as text in Prometheus' format. */
  async collectMetrics(dataSource: DataSource): Promise<string> {
    const request = { pluginContext: pluginContext(dataSource) };
    const { metrics } = await unary(this.clients.diagnostics, 'CollectMetrics', request);
    return metrics?.prometheus.toString('utf8') ?? '';
  }

  /** Asks the backend to exit, as go-plugin does, and ends it if it doesn't. */
  async stop(): Promise<void> {
    await Promise.all([shutdown(this.clients.diagnostics), this.child.ended(2_000)]);
    Object.values(this.clients).forEach((client: Client) => client.close());
  }
}
