import { type DashboardPage, type PanelEditPage, test as base } from '@grafana/plugin-e2e';

import { type DashboardModel } from './dashboard';
import { GrafanaApi, prometheusUid, type Rule, type Source, type SourceInput } from './grafana';
import { type Engine, Prometheus } from './prometheus';
import { Simulator } from './simulator';
import { readRecordingRules } from '../../dashboards/support/files';

export { expect } from '@grafana/plugin-e2e';

interface Fixtures {
  api: GrafanaApi;
  /** The data source of provisioning/datasources. */
  provisioned: Source;
  /** Its uid. */
  source: string;
  /** Creates a data source for the service of the provisioned one, with its own session and cache. */
  createSource: (input?: SourceInput) => Promise<Source>;
  /** Creates a dashboard and returns its uid. */
  createDashboard: (dashboard: DashboardModel) => Promise<string>;
  /** Creates a dashboard and opens it. */
  openDashboard: (dashboard: DashboardModel) => Promise<DashboardPage>;
  /** Creates a dashboard and opens the editor of its first panel. */
  editPanel: (dashboard: DashboardModel) => Promise<PanelEditPage>;
  /**
   * Copies provisioned alert rules for a data source, and returns the titles of the copies. They are evaluated every ten
   * seconds, which is as often as Grafana can, and have no longer pending period.
   */
  copyRules: (source: string, uids: string[]) => Promise<string[]>;
  /** Which one a test starts if there is no Prometheus yet. */
  engine: Engine;
  /**
   * A Prometheus to which this Grafana can write: that of PROMETHEUS_URL, that of the provisioned data source, or one that
   * is started. Without any, tests that need it are skipped.
   */
  prometheus: Prometheus;
  /**
   * Creates the recording rules of provisioning/history for a data source, evaluated every ten seconds, and returns the
   * value of the label e2e that their series have.
   */
  recordTo: (source: string) => Promise<string>;
  /** The simulated service; tests that need it are skipped if its address is unknown. */
  simulator: Simulator;
}

/** The key of the service; by default, that of docker-compose.yml. */
export const key = process.env.INSIGHTS_KEY || 'demo-key';

/** The fixtures of Grafana's tests for plugins, and those of these tests, each of which cleans up after itself. */
export const test = base.extend<Fixtures>({
  api: async ({ playwright, baseURL, grafanaAPICredentials: { user, password } }, provide) => {
    const Authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    // The cookies of a logged-in user would override the header.
    const storageState = { cookies: [], origins: [] };
    const request = await playwright.request.newContext({ baseURL, extraHTTPHeaders: { Authorization }, storageState });
    await provide(new GrafanaApi(request));
    await request.dispose();
  },

  // Grafana rotates the cookie of a session every ten minutes, and a run can take longer: each test logs in again.
  context: async ({ context, baseURL, grafanaAPICredentials: data }, provide) => {
    await context.request.post(`${baseURL}/login`, { data });
    await provide(context);
  },

  // Grafana's version was looked up in another page, and Chromium renders background pages once a second.
  page: async ({ page }, provide) => {
    await page.bringToFront();
    await provide(page);
  },

  provisioned: async ({ api, readProvisionedDataSource }, provide) => {
    const { uid } = await readProvisionedDataSource({ fileName: 'insights.yaml' });
    await provide(await api.source(uid));
  },

  source: async ({ provisioned }, provide) => provide(provisioned.uid),

  createSource: async ({ api, provisioned }, provide) => {
    const made: string[] = [];
    await provide(async ({ url, jsonData, secureJsonData } = {}) => {
      const source = await api.createSource({
        url: url ?? provisioned.url,
        jsonData: { login: provisioned.jsonData.login, ...jsonData },
        secureJsonData: { key, ...secureJsonData },
      });
      made.push(source.uid);
      return source;
    });
    await Promise.all(made.map((uid) => api.deleteSource(uid)));
  },

  createDashboard: async ({ api }, provide) => {
    const made: string[] = [];
    await provide(async (dashboard) => {
      const uid = await api.createDashboard({ ...dashboard, title: `${dashboard.title} ${crypto.randomUUID()}` });
      made.push(uid);
      return uid;
    });
    await Promise.all(made.map((uid) => api.deleteDashboard(uid)));
  },

  openDashboard: async ({ createDashboard, gotoDashboardPage }, provide) =>
    provide(async (dashboard) => gotoDashboardPage({ uid: await createDashboard(dashboard) })),

  editPanel: async ({ createDashboard, gotoPanelEditPage }, provide) =>
    provide(async (dashboard) => gotoPanelEditPage({ dashboard: { uid: await createDashboard(dashboard) }, id: '1' })),

  copyRules: async ({ api, provisioned }, provide) => {
    const made = new Map<string, Rule[]>();
    await provide(async (source, uids) => {
      const group = `e2e ${crypto.randomUUID()}`;
      const rules = await api.rules();
      const copies = uids.map((uid) => copyOf(rules.get(uid)!, group, [provisioned.uid, source]));
      made.set(group, copies);
      await api.createRules(group, copies);
      return copies.map(({ title }) => title);
    });
    await Promise.all([...made].map(([group, [rule]]) => api.deleteRules(group, rule)));
  },

  engine: ['prometheus', { option: true }],

  prometheus: async ({ api, baseURL, engine }, provide, testInfo) => {
    const existing = await api.prometheus();
    const url = process.env.PROMETHEUS_URL || existing;
    testInfo.skip(Boolean(url) && engine !== 'prometheus', `there is one already: ${url}`);
    const isLocal = ['127.0.0.1', 'localhost'].includes(new URL(baseURL!).hostname);
    const prometheus = url ? Prometheus.at(url) : isLocal ? await Prometheus.start(engine) : undefined;
    testInfo.skip(
      !prometheus,
      `PROMETHEUS_URL is not set, and there is no ${engine} on the path that Grafana can reach`
    );
    if (!existing) {
      await api.createPrometheus(prometheus!.url);
    }
    await provide(prometheus!);
    if (!existing) {
      await api.deleteSource(prometheusUid);
    }
    prometheus!.stop();
  },

  recordTo: async ({ api }, provide) => {
    const made = new Map<string, Rule[]>();
    await provide(async (source) => {
      const group = `e2e ${crypto.randomUUID()}`;
      const [{ folderUID }] = (await api.rules()).values();
      const rules = recordingRules(source, group).map(({ title, record, data, labels }) => ({
        uid: crypto.randomUUID(),
        title: `${title} ${group}`,
        folderUID,
        ruleGroup: group,
        condition: '',
        for: '0s',
        annotations: {},
        labels,
        data,
        record: { metric: record!.metric, from: record!.from, target_datasource_uid: record!.targetDatasourceUid },
      }));
      made.set(group, rules);
      await api.createRules(group, rules);
      return group;
    });
    await Promise.all([...made].map(([group, [rule]]) => api.deleteRules(group, rule)));
  },

  simulator: async ({}, provide, testInfo) => {
    const url = process.env.SIMULATOR_URL;
    testInfo.skip(!url, 'SIMULATOR_URL is not set: this test counts requests at the simulator');
    const simulator = new Simulator(url ?? '');
    // An interrupted run may have left something behind.
    await simulator.restore();
    await provide(simulator);
    await simulator.restore();
  },
});

/** The recording rules of provisioning/history for a data source. Their series have the label e2e. */
export const recordingRules = (source: string, e2e: string) =>
  readRecordingRules().rules.map((rule) => ({
    ...rule,
    labels: { e2e },
    data: rule.data.map((query) => (query.datasourceUid === '__expr__' ? query : { ...query, datasourceUid: source })),
  }));

function copyOf(rule: Rule, group: string, [provisioned, source]: [string, string]): Rule {
  const data = rule.data.map((query) =>
    query.datasourceUid === provisioned ? { ...query, datasourceUid: source } : query
  );
  const pending = rule.for === '0s' ? '0s' : '10s';
  return {
    ...rule,
    id: undefined,
    uid: crypto.randomUUID(),
    title: `${rule.title} ${group}`,
    ruleGroup: group,
    data,
    for: pending,
  };
}
