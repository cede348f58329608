import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { dashboardsIn } from '../../../dashboards';
import type { Dashboard, Panel } from '../../../dashboards/parts';

/** A saved query in a file: unchecked, so that the tests find what is invalid. */
export type Query = Record<string, unknown>;

/** One alert rule of a provisioning file. */
export interface Rule {
  uid: string;
  title: string;
  /** Absent in a recording rule. */
  condition?: string;
  record?: { metric: string; from: string; targetDatasourceUid: string };
  data: Array<{
    refId: string;
    datasourceUid: string;
    relativeTimeRange: { from: number; to: number };
    model: Query;
  }>;
  for?: string;
  noDataState?: string;
  execErrState?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

export interface RuleGroup {
  name: string;
  folder: string;
  interval: string;
  rules: Rule[];
}

const root = join(__dirname, '..', '..', '..');
const alertingFolder = join(root, 'provisioning', 'alerting');

/** The contents of a file of the repository. */
export function readText(...path: string[]): string {
  return readFileSync(join(root, ...path), 'utf8');
}

/** The bundled dashboards of a language, by file name. */
export function readDashboards(language = 'en-US'): Map<string, Dashboard> {
  return new Map(Object.entries(dashboardsIn(language)));
}

/** All panels with queries, also those in collapsed rows. */
export function panelsOf({ panels }: Pick<Dashboard, 'panels'>): Panel[] {
  return panels.flatMap((panel) => (panel.type === 'row' ? panelsOf({ panels: panel.panels ?? [] }) : [panel]));
}

/** The rule groups of every provisioning file, by its file name. */
export function readRuleGroups(): Map<string, RuleGroup[]> {
  return new Map(
    readdirSync(alertingFolder).map((file) => {
      const { groups } = parse(readText('provisioning', 'alerting', file)) as { groups: RuleGroup[] };
      return [file, groups];
    })
  );
}

/** The recording rules, which are provisioned only beside a Prometheus. */
export function readRecordingRules(): RuleGroup {
  return parse(readText('provisioning', 'history', 'alerting.yaml')).groups[0];
}

interface TeamsFiles {
  jsonData: { deadlines: unknown[]; teams: Array<{ automation: string; team: string }> };
  contactPoints: Array<{ name: string }>;
  policies: Array<{ receiver: string; routes: Array<{ receiver: string; object_matchers: string[][] }> }>;
}

/** The settings of the data source that knows teams, and how their alerts are routed. */
export function readTeams(): TeamsFiles {
  const [alerting, source] = ['alerting', 'datasources'].map((name) =>
    parse(readText('provisioning', 'teams', `${name}.yaml`))
  );
  return { ...alerting, jsonData: source.datasources[0].jsonData };
}

/** Whether a panel shows what recording rules wrote. Its queries are not this plugin's. */
export const isRecorded = ({ datasource }: Panel) => (datasource as { type: string }).type === 'prometheus';

/** The dashboards that plugin.json lists for the page of a data source. */
export function readIncludes(): Array<{ type: string; name: string; path: string }> {
  return JSON.parse(readText('src', 'plugin.json')).includes;
}

/**
 * Names of the variables in every text below a node, in each of Grafana's three notations. Grafana's own, such as
 * __all, are left out.
 */
export function variablesIn(node: unknown): string[] {
  const found = [...JSON.stringify(node).matchAll(/\$\{(\w+)|\$(\w+)|\[\[(\w+)/g)];
  return found
    .map(([, braces, bare, brackets]) => braces ?? bare ?? brackets)
    .filter((name) => !name.startsWith('__') && !/^\d$/.test(name)); // A group of a regular expression is no variable.
}
