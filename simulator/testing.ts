import type { Envelope } from './lists';
import type { AutomationRecord, RunnerRecord, TaskRecord } from './reports';

/** Routes of the service. */
export const TASKS = '/api/v1/insights/tasks';
export const AUTOMATIONS = '/api/v1/insights/automation';
export const RUNNERS = '/api/v1/insights/runner';

type Method = 'GET' | 'POST' | 'DELETE';

/** A simple client of a simulator: sequential requests, no retries. */
export class Client {
  headers: Record<string, string> = {};

  constructor(readonly url: string) {}

  async login(login = 'demo', key = 'demo-key'): Promise<Response> {
    const response = await this.send('POST', '/api/v2/workspace/login', { login, key });
    if (response.ok) {
      const { accessToken, organizationLabel } = await response.clone().json();
      this.headers = { token: accessToken, organization: organizationLabel };
    }
    return response;
  }

  get(path: string): Promise<Response> {
    return fetch(this.url + path, { headers: this.headers });
  }

  /** The JSON of a response, in the type that the caller expects. */
  async json<T>(path: string): Promise<T> {
    return (await this.get(path)).json();
  }

  tasks(query = ''): Promise<Envelope<TaskRecord>> {
    return this.json(TASKS + query);
  }

  automations(query = ''): Promise<Envelope<AutomationRecord>> {
    return this.json(AUTOMATIONS + query);
  }

  runners(query = ''): Promise<RunnerRecord[]> {
    return this.json(RUNNERS + query);
  }

  /** The records of all pages. */
  async all<T>(path: string): Promise<T[]> {
    const rows: T[] = [];
    for (let number = 0; ; number++) {
      const page = await this.json<Envelope<T>>(`${path}${path.includes('?') ? '&' : '?'}page=${number}`);
      rows.push(...page.content);
      if (page.last) {
        return rows;
      }
    }
  }

  /** Calls one of the test routes. */
  async control<T = unknown>(method: Method, path: string, body?: object): Promise<T> {
    const response = await this.send(method, `/simulator/${path}`, body);
    if (!response.ok) {
      throw new Error(`${method} ${path}: ${await response.text()}`);
    }
    return response.json();
  }

  send(method: Method, path: string, body?: object): Promise<Response> {
    return fetch(this.url + path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
    });
  }
}
