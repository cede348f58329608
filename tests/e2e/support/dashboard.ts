import { type InsightsQuery } from '../../../src/query';

type Ref = { type: string; uid: string };

export interface PanelModel {
  title: string;
  type: string;
  targets: InsightsQuery[];
  datasource?: Ref;
  options?: Record<string, unknown>;
  gridPos?: { x: number; y: number; w: number; h: number };
}

/** What a test says about a dashboard; Grafana adds the rest. */
export interface DashboardModel {
  title: string;
  time: { from: string; to: string };
  refresh?: string;
  panels: PanelModel[];
  templating?: { list: Array<Record<string, unknown>> };
  annotations?: { list: Array<Record<string, unknown>> };
}
