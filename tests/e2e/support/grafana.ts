import { type APIRequestContext, type APIResponse, expect } from '@playwright/test';

import { type InsightsJsonData, type InsightsSecureJsonData } from '../../../src/settings';
import { type DashboardModel } from './dashboard';
import { pluginId } from './plugin';

/** A data source in Grafana's API. */
export interface Source {
  uid: string;
  name: string;
  url: string;
  jsonData: InsightsJsonData;
}

export interface SourceInput {
  url?: string;
  jsonData?: InsightsJsonData;
  secureJsonData?: InsightsSecureJsonData;
}

/** Grafana's HTTP API, as an administrator. */
export class GrafanaApi {
  constructor(private readonly request: APIRequestContext) {}

  async source(uid: string): Promise<Source> {
    return json(await this.request.get(`/api/datasources/uid/${uid}`));
  }

  async createSource(input: SourceInput): Promise<Source> {
    const data = { name: `e2e ${crypto.randomUUID()}`, type: pluginId, access: 'proxy', ...input };
    return (await json<{ datasource: Source }>(await this.request.post('/api/datasources', { data }))).datasource;
  }

  async deleteSource(uid: string): Promise<void> {
    await this.request.delete(`/api/datasources/uid/${uid}`);
  }

  /** What people call the automations of the last days, by label. */
  async automationNames(uid: string, days = 30): Promise<Map<string, string>> {
    const response = await this.request.get(`/api/datasources/uid/${uid}/resources/automations?days=${days}`);
    const automations = await json<Array<{ value: string; text: string }>>(response);
    return new Map(automations.map(({ value, text }) => [value, text]));
  }

  async createDashboard(dashboard: DashboardModel): Promise<string> {
    const { uid } = await json<{ uid: string }>(
      await this.request.post('/api/dashboards/db', { data: { dashboard, overwrite: false } })
    );
    return uid;
  }

  async dashboard(uid: string): Promise<DashboardModel> {
    const { dashboard } = await json<{ dashboard: DashboardModel }>(
      await this.request.get(`/api/dashboards/uid/${uid}`)
    );
    return dashboard;
  }

  async deleteDashboard(uid: string): Promise<void> {
    await this.request.delete(`/api/dashboards/uid/${uid}`);
  }

  async createUser(user: { login: string; password: string }): Promise<number> {
    const { id } = await json<{ id: number }>(await this.request.post('/api/admin/users', { data: user }));
    await json(await this.request.patch(`/api/org/users/${id}`, { data: { role: 'Viewer' } }));
    return id;
  }

  async deleteUser(id: number): Promise<void> {
    await this.request.delete(`/api/admin/users/${id}`);
  }

  /** The plugin's metrics in Prometheus' text format. */
  async metrics(): Promise<string> {
    const response = await this.request.get(`/api/plugins/${pluginId}/metrics`);
    expect(response.status()).toBe(200);
    return response.text();
  }
}

async function json<T>(response: APIResponse): Promise<T> {
  expect(response.ok(), `${response.url()} answered ${response.status()}: ${await response.text()}`).toBe(true);
  return response.json();
}
