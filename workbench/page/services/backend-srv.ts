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

/** Grafana's HTTP client for plugins, based on fetch. As in Grafana, unsubscribing cancels the request. */
export class FetchBackendSrv implements BackendSrv {
  fetch<T>(config: BackendSrvRequest): Observable<FetchResponse<T>> {
    return new Observable((subscriber) => {
      const abort = new AbortController();
      const answer = from(request<T>(config, abort.signal)).subscribe(subscriber);
      return () => {
        answer.unsubscribe();
        abort.abort();
      };
    });
  }

  chunked(): never {
    throw new Error("The workbench doesn't support chunked responses");
  }

  datasourceRequest<T>(config: BackendSrvRequest): Promise<FetchResponse<T>> {
    return lastValueFrom(this.fetch<T>(config));
  }

  async request<T>(config: BackendSrvRequest): Promise<T> {
    return (await lastValueFrom(this.fetch<T>(config))).data;
  }

  get<T>(
    url: string,
    params?: BackendSrvRequest['params'],
    requestId?: string,
    options?: Partial<BackendSrvRequest>
  ): Promise<T> {
    return this.request<T>({ ...options, method: 'GET', url, params, requestId });
  }

  delete<T>(url: string, data?: unknown, options?: Partial<BackendSrvRequest>): Promise<T> {
    return this.request<T>({ ...options, method: 'DELETE', url, data });
  }

  post<T>(url: string, data?: unknown, options?: Partial<BackendSrvRequest>): Promise<T> {
    return this.request<T>({ ...options, method: 'POST', url, data });
  }

  patch<T>(url: string, data?: unknown, options?: Partial<BackendSrvRequest>): Promise<T> {
    return this.request<T>({ ...options, method: 'PATCH', url, data });
  }

  put<T>(url: string, data?: unknown, options?: Partial<BackendSrvRequest>): Promise<T> {
    return this.request<T>({ ...options, method: 'PUT', url, data });
  }
}
