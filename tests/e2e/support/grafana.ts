import { type APIRequestContext, type APIResponse, expect } from '@playwright/test';

import { type QueryParts } from '../../../src/query/query';
import { type InsightsJsonData, type InsightsSecureJsonData } from '../../../src/settings';
import { type DashboardModel } from './dashboard';
import { pluginId } from '../../../workbench/backend/context';
import { type Frame } from './query';

/** A data source in Grafana's API. */
export interface Source {
  uid: string;
  name: string;
  url: string;
  jsonData: InsightsJsonData;
}

/** An alert rule in Grafana's provisioning API, as far as these tests use it. */
export interface Rule {
  /** Absent in a new rule. */
  id?: number;
  uid: string;
  title: string;
  folderUID: string;
  ruleGroup: string;
  condition: string;
  data: Array<{ refId: string; datasourceUid: string; model: unknown }>;
  annotations: Record<string, string>;
  labels?: Record<string, string>;
  for: string;
  /** Of a recording rule. */
  record?: { metric: string; from: string; target_datasource_uid: string };
}

/** An instance of an alert rule, with its state. */
export interface Instance {
  state: string;
  activeAt: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export interface SourceInput {
  url?: string;
  jsonData?: InsightsJsonData;
  secureJsonData?: InsightsSecureJsonData;
}

/** That of provisioning/history. */
export const prometheusUid = 'prometheus';

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

  /** Creates a service account with the role Viewer, and returns its ID and a token. */
  async createServiceAccount(): Promise<{ id: number; key: string }> {
    const data = { name: `e2e ${crypto.randomUUID()}`, role: 'Viewer' };
    const { id } = await json<{ id: number }>(await this.request.post('/api/serviceaccounts', { data }));
    const token = await this.request.post(`/api/serviceaccounts/${id}/tokens`, { data: { name: 'e2e' } });
    return { ...(await json<{ key: string }>(token)), id };
  }

  async deleteServiceAccount(id: number): Promise<void> {
    await this.request.delete(`/api/serviceaccounts/${id}`);
  }

  /** The address of the Prometheus with the UID to which the recording rules write, if there is one. */
  async prometheus(): Promise<string | undefined> {
    const response = await this.request.get(`/api/datasources/uid/${prometheusUid}`);
    return response.ok() ? (await json<Source>(response)).url : undefined;
  }

  async createPrometheus(url: string, uid = prometheusUid): Promise<void> {
    const jsonData = { prometheusType: 'Prometheus' };
    const data = { name: `e2e ${uid}`, uid, type: 'prometheus', access: 'proxy', url, jsonData };
    await json(await this.request.post('/api/datasources', { data }));
  }

  /** The frame of one query, by default for the last seven days. */
  async query(
    uid: string,
    query: QueryParts,
    range: { from: string | number; to: string | number } = { from: 'now-7d', to: 'now' }
  ): Promise<Frame> {
    const queries = [{ refId: 'A', datasource: { uid, type: pluginId }, ...query }];
    const { results } = await json<{ results: Record<string, { frames: Frame[] }> }>(
      await this.request.post('/api/ds/query', { data: { queries, from: `${range.from}`, to: `${range.to}` } })
    );
    return results.A.frames[0];
  }

  /** The provisioned alert rules of this plugin, by uid. */
  async rules(): Promise<Map<string, Rule>> {
    return new Map((await this.provisionedRules()).filter(({ record }) => !record).map((rule) => [rule.uid, rule]));
  }

  /** The provisioned recording rules of this plugin. */
  async recordingRules(): Promise<Rule[]> {
    return (await this.provisionedRules()).filter(({ record }) => record);
  }

  private async provisionedRules(): Promise<Rule[]> {
    const rules = await json<Rule[]>(await this.request.get('/api/v1/provisioning/alert-rules'));
    return rules.filter(({ uid }) => uid.startsWith('insights-'));
  }

  /** Runs the queries and expressions of a rule once, as at a time, and returns the frames of each. */
  async evaluate(
    { data, condition }: Pick<Rule, 'data' | 'condition'>,
    now?: string
  ): Promise<Record<string, { error?: string; frames: Frame[] }>> {
    const { results } = await json<{ results: Record<string, { error?: string; frames: Frame[] }> }>(
      await this.request.post('/api/v1/eval', { data: { data, condition, now } })
    );
    return results;
  }

  /** Creates rules that are evaluated every ten seconds. */
  async createRules(group: string, rules: Rule[]): Promise<void> {
    const folderUid = rules[0].folderUID;
    await json(
      await this.request.put(`/api/v1/provisioning/folder/${folderUid}/rule-groups/${group}`, {
        data: { title: group, folderUid, interval: 10, rules },
      })
    );
  }

  async deleteRules(group: string, { folderUID }: Rule): Promise<void> {
    await this.request.delete(`/api/v1/provisioning/folder/${folderUID}/rule-groups/${group}`);
  }

  /** The instances of the rule with a title. */
  async instances(title: string): Promise<Instance[]> {
    interface Group {
      rules: Array<{ name: string; alerts?: Instance[] }>;
    }
    const { data } = await json<{ data: { groups: Group[] } }>(
      await this.request.get('/api/prometheus/grafana/api/v1/rules')
    );
    return data.groups.flatMap(({ rules }) => rules).find(({ name }) => name === title)?.alerts ?? [];
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
