import type { BackendSrv, BackendSrvRequest, FetchError, FetchResponse } from '@grafana/runtime';
import { from, lastValueFrom, Observable } from 'rxjs';

function urlOf({ url, params }: BackendSrvRequest): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params ?? {})) {
    for (const each of [value].flat()) {
      if (each !== undefined && each !== null) {
        search.append(name, String(each));
      }
    }
  }
  const path = url.startsWith('/') ? url : `/${url}`;
  return search.size > 0 ? `${path}${path.includes('?') ? '&' : '?'}${search}` : path;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The shape in which an unsuccessful response is thrown: Grafana's packages expect it. */
function failure(config: BackendSrvRequest, response: Response, data: unknown): FetchError {
  const { status, statusText } = response;
  return { status, statusText, data: typeof data === 'string' ? { message: data } : data, config };
}

async function request<T>(config: BackendSrvRequest, signal: AbortSignal): Promise<FetchResponse<T>> {
  const hasBody = config.data !== undefined;
  const response = await fetch(urlOf(config), {
    method: config.method ?? 'GET',
    headers: { ...(hasBody && { 'content-type': 'application/json' }), ...config.headers },
    body: hasBody ? JSON.stringify(config.data) : undefined,
    signal,
  });
  const data = parse(await response.text());
  if (!response.ok) {
    throw failure(config, response, data);
  }
  const { status, statusText, ok, headers, redirected, type, url } = response;
  return { data: data as T, status, statusText, ok, headers, redirected, type, url, config };
}

function fetchOf<T>(config: BackendSrvRequest): Observable<FetchResponse<T>> {
  return new Observable((subscriber) => {
    const abort = new AbortController();
    const answer = from(request<T>(config, abort.signal)).subscribe(subscriber);
    return () => {
      answer.unsubscribe();
      abort.abort();
    };
  });
}

type Options = Partial<BackendSrvRequest>;

const dataOf = async <T>(config: BackendSrvRequest) => (await lastValueFrom(fetchOf<T>(config))).data;

const send =
  (method: string) =>
  <T>(url: string, data?: unknown, options?: Options) =>
    dataOf<T>({ ...options, method, url, data });

/** Grafana's HTTP client for plugins, based on fetch. As in Grafana, unsubscribing cancels the request. */
export const backendSrv: BackendSrv = {
  fetch: fetchOf,
  chunked: () => {
    throw new Error("The workbench doesn't support chunked responses");
  },
  datasourceRequest: (config) => lastValueFrom(fetchOf(config)),
  request: dataOf,
  get: (url, params, requestId, options) => dataOf({ ...options, method: 'GET', url, params, requestId }),
  delete: send('DELETE'),
  post: send('POST'),
  patch: send('PATCH'),
  put: send('PUT'),
};
