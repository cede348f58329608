import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import type { Dashboard, RuleGroup } from './types';

const root = join(__dirname, '..', '..', '..');
const dashboardFolder = join(root, 'src', 'dashboards');
const alertingFolder = join(root, 'provisioning', 'alerting');

/** The contents of a file of the repository. */
export function readText(...path: string[]): string {
  return readFileSync(join(root, ...path), 'utf8');
}

/** Every bundled dashboard, by its file name. */
export function readDashboards(): Map<string, Dashboard> {
  return new Map(
    readdirSync(dashboardFolder).map((file) => [file, JSON.parse(readText('src', 'dashboards', file)) as Dashboard])
  );
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
  return found.map(([, braces, bare, brackets]) => braces ?? bare ?? brackets).filter((name) => !name.startsWith('__'));
}

/** The reason why Grafana 12 rejects a dashboard: a sign of schema v2, or a missing part of the classic one. */
export function classicFault(dashboard: object): string | undefined {
  const alien = ['apiVersion', 'kind', 'spec', 'elements', 'layout'].find((key) => key in dashboard);
  if (alien) {
    return `${alien} belongs to the dashboard schema v2: export the classic JSON`;
  }
  const { schemaVersion, panels } = dashboard as Partial<{ schemaVersion: unknown; panels: unknown }>;
  if (typeof schemaVersion !== 'number') {
    return 'schemaVersion is missing';
  }
  return Array.isArray(panels) ? undefined : 'panels are missing';
}
