import { type InsightsQuery, type QueryParts } from '../../../src/query/query';
import { pluginId } from '../../../workbench/backend/context';

export interface PanelModel {
  id: number;
  title: string;
  type: string;
  datasource: { type: string; uid: string };
  targets: InsightsQuery[];
  gridPos: { x: number; y: number; w: number; h: number };
}

/** The properties of a dashboard that a test sets; Grafana adds the rest. */
export interface DashboardModel {
  title: string;
  time: { from: string; to: string };
  panels: PanelModel[];
  templating?: { list: object[] };
  annotations?: { list: object[] };
}

export function sourceRef(uid: string) {
  return { type: pluginId, uid };
}

/** A panel with one query; four fit in a row. */
export function panel(
  uid: string,
  query: QueryParts,
  { id = 1, type = 'table', title = `Panel ${id}` }: Partial<Pick<PanelModel, 'id' | 'type' | 'title'>> = {}
): PanelModel {
  const [w, h] = [6, 5];
  const gridPos = { x: ((id - 1) % 4) * w, y: Math.floor((id - 1) / 4) * h, w, h };
  return { id, title, type, datasource: sourceRef(uid), targets: [{ refId: 'A', ...query }], gridPos };
}

/** A dashboard of the last seven days. */
export function dashboard(panels: PanelModel[], more: Partial<DashboardModel> = {}): DashboardModel {
  return { title: 'e2e', time: { from: 'now-7d', to: 'now' }, panels, ...more };
}
