import { CoreApp } from '@grafana/data';

import { type InsightsQuery } from '../query/query';
import { needsRows } from './frames';

const grouped: InsightsQuery = { refId: 'A', format: 'numeric', measure: 'tasks', groupBy: ['state'] };

describe('needsRows', () => {
  it.each([
    ...['table', 'barchart', 'heatmap', 'histogram', 'trend', 'xychart', 'geomap', 'nodeGraph', 'datagrid', 'logs'],
  ])('requests a row for each group for %s', (panelPluginId) => {
    expect(needsRows(grouped, { panelPluginId })).toBe(true);
  });

  it.each(['stat', 'gauge', 'bargauge', 'piechart', 'timeseries', 'canvas', 'somebodys-panel', undefined])(
    'leaves %s a field for each group',
    (panelPluginId) => {
      expect(needsRows(grouped, { panelPluginId })).toBe(false);
    }
  );

  it('requests rows for Explore, which has no visualization', () => {
    expect(needsRows(grouped, { app: CoreApp.Explore })).toBe(true);
    expect(needsRows(grouped, { app: CoreApp.Dashboard })).toBe(false);
  });

  it.each<Partial<InsightsQuery>>([{ format: undefined }, { format: 'timeseries' }])('leaves %j alone', (parts) => {
    expect(needsRows({ ...grouped, ...parts }, { panelPluginId: 'table' })).toBe(false);
  });
});
