import { CoreApp, createDataFrame, type DataFrame, type DataQueryRequest, FieldType } from '@grafana/data';

import { type InsightsQuery } from './query';
import { shapeOf, withHiddenKeys } from './visualization';

const grouped: InsightsQuery = { refId: 'A', format: 'numeric', measure: 'tasks', groupBy: ['state'] };

describe('shapeOf', () => {
  const shapeFor = (requester: Partial<DataQueryRequest>, query = grouped) => shapeOf(query, requester).shape;

  it.each([
    ...['table', 'barchart', 'heatmap', 'histogram', 'trend', 'xychart', 'geomap', 'nodeGraph', 'datagrid', 'logs'],
  ])('requests a row for each group for %s', (panelPluginId) => {
    expect(shapeFor({ panelPluginId })).toBe('long');
  });

  it.each(['stat', 'gauge', 'bargauge', 'piechart', 'timeseries', 'canvas', 'somebodys-panel', undefined])(
    'leaves %s a field for each group',
    (panelPluginId) => {
      expect(shapeFor({ panelPluginId })).toBeUndefined();
    }
  );

  it('requests rows for Explore, which has no visualization', () => {
    expect(shapeFor({ app: CoreApp.Explore })).toBe('long');
    expect(shapeFor({ app: CoreApp.Dashboard })).toBeUndefined();
  });

  it.each<Partial<InsightsQuery>>([{ format: undefined }, { format: 'timeseries' }])('leaves %j alone', (parts) => {
    expect(shapeFor({ panelPluginId: 'table' }, { ...grouped, ...parts })).toBeUndefined();
  });
});

describe('withHiddenKeys', () => {
  /** A table of tasks, whose IDs are numbers. */
  const rows: DataFrame = createDataFrame({
    refId: 'A',
    fields: [
      { name: 'id', type: FieldType.number, values: [2_077_800_055], config: { unit: 'none' } },
      { name: '_id', type: FieldType.string, values: ['runner-01'] },
      { name: 'totalItems', type: FieldType.number, values: [7] },
    ],
  });
  const hidden = (panelPluginId: string | undefined) =>
    withHiddenKeys([rows], { panelPluginId })[0].fields.filter(({ config }) => config.custom?.hideFrom?.viz);

  it.each(['timeseries', 'barchart'])('hides from a %s the IDs that are numbers, and keeps them', (panelPluginId) => {
    const [id, ...others] = hidden(panelPluginId);
    expect(others).toEqual([]);
    expect(id).toMatchObject({ name: 'id', type: FieldType.number, values: [2_077_800_055], config: { unit: 'none' } });
  });

  it.each(['table', 'stat', 'somebodys-panel', undefined])('hides nothing from %s', (panelPluginId) => {
    expect(hidden(panelPluginId)).toEqual([]);
  });
});
