import { execFileSync } from 'node:child_process';
import path from 'node:path';

import {
  type Client,
  type ClientReadableStream,
  loadPackageDefinition,
  type ServiceClientConstructor,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

import { root } from './binary';
import type { Health, QueryResult, ResourceResponse } from './wire';

/** The response type of each unary method, by its name in the protocol. */
interface Answers {
  CheckHealth: { status: Health['status']; message: string; jsonDetails: Buffer };
  QueryData: { responses: Record<string, QueryResult> };
  CollectMetrics: { metrics: { prometheus: Buffer } | null };
}

interface Cancellable {
  cancel(): void;
}

interface ResourcePart {
  code: number;
  headers: Record<string, { values: string[] }>;
  body: Buffer;
}

type Unary<T> = (request: object, done: (error: ServiceError | null, answer: T) => void) => Cancellable;
type Stream<T> = (request: object) => ClientReadableStream<T>;

/** The clients are built from the protocol at run time, so their methods are only known by name. */
const methodsOf = <M extends string, T>(client: Client) => client as unknown as Record<M, T>;

function cancelOn(signal: AbortSignal | undefined, call: Cancellable): () => void {
  const cancel = () => call.cancel();
  if (signal?.aborted) {
    cancel();
  }
  signal?.addEventListener('abort', cancel, { once: true });
  return () => signal?.removeEventListener('abort', cancel);
}

/** Calls a method and waits for its response. Aborting the signal also cancels the call in the backend. */
export function unary<M extends keyof Answers>(
  client: Client,
  name: M,
  request: object,
  signal?: AbortSignal
): Promise<Answers[M]> {
  return new Promise((resolve, reject) => {
    const call = methodsOf<M, Unary<Answers[M]>>(client)[name](request, (error, answer) => {
      release();
      return error ? reject(error) : resolve(answer);
    });
    const release = cancelOn(signal, call);
  });
}

/** go-plugin's own service, next to Grafana's: asks the process to exit. Its messages are empty in both directions. */
export function shutdown(client: Client): Promise<void> {
  return new Promise((resolve) => {
    const empty = () => Buffer.alloc(0);
    // The process may already be gone.
    client.makeUnaryRequest('/plugin.GRPCController/Shutdown', empty, empty, {}, () => resolve());
  });
}

/** Calls a resource. Its response arrives as fast as its parts are read. */
export function openStream(client: Client, request: object): ClientReadableStream<ResourcePart> {
  return methodsOf<'CallResource', Stream<ResourcePart>>(client).CallResource(request);
}

/** Calls a resource and joins the parts of its response. */
export async function readStream(client: Client, request: object, signal?: AbortSignal): Promise<ResourceResponse> {
  const stream = openStream(client, request);
  const release = cancelOn(signal, stream);
  const parts: ResourcePart[] = [];
  try {
    for await (const part of stream) {
      parts.push(part as ResourcePart);
    }
  } finally {
    release();
  }
  const [first] = parts;
  if (!first) {
    throw new Error('The backend ended the resource call without a response');
  }
  return {
    // Only the first part has a status and headers.
    status: first.code,
    headers: Object.fromEntries(Object.entries(first.headers).map(([name, { values }]) => [name, values])),
    body: Buffer.concat(parts.map((part) => part.body)),
  };
}

/** The three services of Grafana's plugin protocol that a data source without streaming implements. */
interface PluginServices {
  Data: ServiceClientConstructor;
  Resource: ServiceClientConstructor;
  Diagnostics: ServiceClientConstructor;
}

// The protocol belongs to the SDK version that the backend was built with, so it is read from there and not copied.
function protoFile(): string {
  const module = 'github.com/grafana/grafana-plugin-sdk-go';
  const dir = execFileSync('go', ['list', '-m', '-f', '{{.Dir}}', module], { cwd: root, encoding: 'utf8' }).trim();
  if (!dir) {
    throw new Error(`Go has not downloaded ${module} yet: run "go mod download" first`);
  }
  return path.join(dir, 'proto', 'backend.proto');
}

/** Loads the plugin protocol, version 2. */
export function loadServices(): PluginServices {
  const definition = loadSync(protoFile(), { keepCase: true, longs: Number, enums: String, defaults: true });
  return loadPackageDefinition(definition).pluginv2 as unknown as PluginServices;
}
