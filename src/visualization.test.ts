import { renderHook } from '@testing-library/react';

import { createDataFrame, type DataFrame, type DataQueryRequest, FieldType, type PanelData } from '@grafana/data';

import { type InsightsQuery } from './query';
import { changeVisualization, type Look, useVisualization, withHiddenKeys, withWide } from './visualization';

const grouped: InsightsQuery = { refId: 'A', format: 'numeric', measure: 'tasks', groupBy: ['state'] };

type PanelState = { pluginId: string; options?: object; fieldConfig?: object };

/** A panel of a dashboard with its queries in it, as @grafana/scenes has them. */
function panelWith(state: PanelState, transformations: unknown[] = []) {
  const listeners = new Set<() => void>();
  const optionsPane = { state: { isVizPickerOpen: true }, onToggleVizPicker: jest.fn() };
  const panel = {
    state,
    parent: { state: {}, parent: { state: { editPanel: { state: { optionsPane } } } } },
    changePluginType: jest.fn(async () => undefined),
    onFieldConfigChange: jest.fn(),
    subscribeToState: (listener: () => void) => {
      listeners.add(listener);
      return { unsubscribe: () => listeners.delete(listener) };
    },
  };
  const runner = { state: {}, parent: { state: { transformations }, parent: panel } };
  const request = {
    targets: [grouped],
    panelPluginId: state.pluginId,
    scopedVars: { __sceneObject: { text: '__sceneObject', value: { valueOf: () => runner } } },
  } as unknown as DataQueryRequest<InsightsQuery>;
  const become = (changed: PanelState) => {
    panel.state = changed;
    listeners.forEach((listener) => listener());
  };
  return { request, become, listeners, panel, optionsPane };
}

/** A table of tasks, whose ids are numbers. */
function rows(custom: object = {}): DataFrame {
  return createDataFrame({
    refId: 'A',
    fields: [
      { name: 'id', type: FieldType.number, values: [2_077_800_055], config: { unit: 'none', custom } },
      { name: '_id', type: FieldType.string, values: ['runner-01'] },
      { name: 'totalItems', type: FieldType.number, values: [7] },
    ],
  });
}

const sentWide = (request: DataQueryRequest<InsightsQuery>) =>
  withWide(request).targets.map((query) => 'wide' in query);

describe('withWide', () => {
  it.each([
    ['stat', true],
    ['gauge', true],
    ['bargauge', true],
    ['piechart', true],
    ['barchart', false],
    ['table', false],
    ['timeseries', false],
    ['grafana-polystat-panel', false],
    [undefined, false],
  ])('asks for %s as it shows groups (wide: %s)', (panelPluginId, wide) => {
    const request = { targets: [grouped], panelPluginId, scopedVars: {} } as unknown as DataQueryRequest<InsightsQuery>;
    expect(sentWide(request)).toEqual([wide]);
  });

  it('leaves tables, lines, numbers without groups and the saved queries alone', () => {
    const targets: InsightsQuery[] = [
      { refId: 'A' },
      { ...grouped, format: 'timeseries' },
      { ...grouped, groupBy: undefined },
      { ...grouped, groupBy: [] },
      grouped,
    ];
    const request = { ...panelWith({ pluginId: 'stat' }).request, targets };
    expect(sentWide(request)).toEqual([false, false, false, false, true]);
    expect(grouped).not.toHaveProperty('wide');
  });

  it.each<[string, object, boolean]>([
    ['the defaults', { reduceOptions: { values: false, calcs: ['lastNotNull'], fields: '' } }, true],
    ['the first value', { reduceOptions: { calcs: ['first'] } }, true],
    ['all values', { reduceOptions: { values: true, calcs: ['lastNotNull'], fields: '/^tasks$/' } }, false],
    ['the total of the groups', { reduceOptions: { values: false, calcs: ['sum'] } }, false],
    ['no options at all', {}, true],
  ])('keeps what was chosen for rows: %s', (_, options, wide) => {
    expect(sentWide(panelWith({ pluginId: 'stat', options }).request)).toEqual([wide]);
  });

  it('keeps the rows that transformations were made for', () => {
    expect(sentWide(panelWith({ pluginId: 'stat' }, [{ id: 'rowsToFields' }]).request)).toEqual([false]);
  });
});

describe('useVisualization', () => {
  const frame = (type: string, fields: number, refId = 'A') =>
    ({ refId, meta: { type }, fields: Array.from({ length: fields }, () => ({})) }) as unknown as DataFrame;

  function shown(pluginId: string, series: DataFrame[]) {
    const panel = panelWith({ pluginId });
    const onRunQuery = jest.fn();
    const data = { request: panel.request, series } as unknown as PanelData;
    const hook = renderHook(() => useVisualization(data, 'A', onRunQuery));
    return { ...panel, onRunQuery, unmount: hook.unmount };
  }

  it('runs the query again for the other shape, once', () => {
    const { become, onRunQuery } = shown('table', [frame('numeric-long', 2)]);
    expect(onRunQuery).not.toHaveBeenCalled();
    become({ pluginId: 'stat' });
    become({ pluginId: 'stat', options: {} });
    become({ pluginId: 'gauge' });
    expect(onRunQuery).toHaveBeenCalledTimes(1);
  });

  it('runs it again on the way back', () => {
    const { become, onRunQuery } = shown('stat', [frame('numeric-wide', 3)]);
    become({ pluginId: 'barchart' });
    expect(onRunQuery).toHaveBeenCalledTimes(1);
  });

  it('runs it again where the panel changed while the editor was closed', () => {
    expect(shown('stat', [frame('numeric-long', 2)]).onRunQuery).toHaveBeenCalledTimes(1);
    expect(shown('table', [frame('numeric-wide', 2)]).onRunQuery).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a number without groups', frame('numeric-long', 1)],
    ['a line', frame('timeseries-wide', 3)],
    ['a table', frame('', 12)],
    ['another query', frame('numeric-long', 2, 'B')],
    ['rows of a time series', rows({ hideFrom: { viz: true } }), 'timeseries'],
  ])('leaves %s as it is', (_, answer, pluginId = 'stat') => {
    expect(shown(pluginId, [answer]).onRunQuery).not.toHaveBeenCalled();
  });

  it('runs it again where ids are to be hidden, or shown again', () => {
    expect(shown('timeseries', [rows()]).onRunQuery).toHaveBeenCalledTimes(1);
    const { become, onRunQuery } = shown('timeseries', [rows({ hideFrom: { viz: true } })]);
    expect(onRunQuery).not.toHaveBeenCalled();
    become({ pluginId: 'table' });
    expect(onRunQuery).toHaveBeenCalledTimes(1);
  });

  it('does nothing outside of a dashboard, nor after the editor was left', () => {
    const onRunQuery = jest.fn();
    renderHook(() => useVisualization(undefined, 'A', onRunQuery));
    const data = { request: { scopedVars: {} }, series: [frame('numeric-long', 2)] } as unknown as PanelData;
    renderHook(() => useVisualization(data, 'A', onRunQuery));
    expect(onRunQuery).not.toHaveBeenCalled();

    const { unmount, listeners } = shown('table', [frame('numeric-long', 2)]);
    unmount();
    expect(listeners.size).toBe(0);
  });
});

describe('withHiddenKeys', () => {
  const hidden = (panelPluginId: string | undefined) => {
    const request = { targets: [grouped], panelPluginId, scopedVars: {} } as unknown as DataQueryRequest<InsightsQuery>;
    return withHiddenKeys([rows()], request)[0].fields.filter(({ config }) => config.custom?.hideFrom?.viz);
  };

  it.each(['timeseries', 'barchart'])('hides from a %s the ids that are numbers, and keeps them', (panelPluginId) => {
    const [id, ...others] = hidden(panelPluginId);
    expect(others).toEqual([]);
    expect(id).toMatchObject({ name: 'id', type: FieldType.number, values: [2_077_800_055], config: { unit: 'none' } });
  });

  it.each(['table', 'stat', 'somebodys-panel', undefined])('hides nothing from %s', (panelPluginId) => {
    expect(hidden(panelPluginId)).toEqual([]);
  });
});

describe('changeVisualization', () => {
  const look: Look = {
    visualizations: ['bargauge', 'stat'],
    options: { orientation: 'horizontal' },
    defaults: { color: { mode: 'fixed' } },
  };

  const other: Look = { visualizations: ['stat'], defaults: { noValue: 'of another preset' } };

  it('brings the best visualization, and keeps what every visualization has', async () => {
    const { request, panel, optionsPane } = panelWith({
      pluginId: 'timeseries',
      fieldConfig: {
        defaults: { unit: 's', noValue: 'of another preset', color: { mode: 'x' }, custom: { lineWidth: 2 } },
        overrides: [
          { matcher: { id: 'byName' }, properties: [{ id: 'unit' }] },
          { matcher: { id: 'byName' }, properties: [{ id: 'custom.lineWidth' }] },
        ],
      },
    });
    await changeVisualization(request, look, [look, other]);
    expect(panel.changePluginType.mock.calls).toEqual([
      [
        'bargauge',
        { orientation: 'horizontal' },
        {
          defaults: { unit: 's', color: { mode: 'fixed' }, custom: {} },
          overrides: [
            { matcher: { id: 'byName' }, properties: [{ id: 'unit' }] },
            { matcher: { id: 'byName' }, properties: [] },
          ],
        },
      ],
    ]);
    expect(optionsPane.onToggleVizPicker).toHaveBeenCalledTimes(1);
  });

  it('leaves a visualization that shows it as it is, and closes the picker', async () => {
    const { request, panel, optionsPane } = panelWith({ pluginId: 'stat' });
    await changeVisualization(request, look);
    expect(panel.changePluginType).not.toHaveBeenCalled();
    expect(optionsPane.onToggleVizPicker).toHaveBeenCalledTimes(1);

    optionsPane.state.isVizPickerOpen = false;
    await changeVisualization(request, look);
    expect(optionsPane.onToggleVizPicker).toHaveBeenCalledTimes(1);
  });

  it('keeps what the user has set, and not the text of another preset, in either case', async () => {
    const defaults = { noValue: 'of the user', color: { mode: 'of the user' } };
    const line = panelWith({ pluginId: 'timeseries', fieldConfig: { defaults, overrides: [] } });
    await changeVisualization(line.request, { visualizations: ['table'] }, [look, other]);
    expect(line.panel.changePluginType).toHaveBeenCalledWith('table', undefined, {
      defaults: { ...defaults, custom: {} },
      overrides: [],
    });

    const stat = panelWith({ pluginId: 'stat', fieldConfig: { defaults, overrides: [] } });
    await changeVisualization(stat.request, look, [look, other]);
    expect(stat.panel.onFieldConfigChange).not.toHaveBeenCalled();

    stat.panel.state.fieldConfig = { defaults: { ...defaults, ...other.defaults }, overrides: [] };
    await changeVisualization(stat.request, look, [look, other]);
    expect(stat.panel.onFieldConfigChange).toHaveBeenCalledWith(
      { defaults: { color: { mode: 'of the user' } }, overrides: [] },
      true
    );
  });

  it('resolves where Grafana cannot load the visualization: the preset still has its query', async () => {
    const { request, panel } = panelWith({ pluginId: 'timeseries' });
    panel.changePluginType.mockRejectedValue(new Error('Loading chunk 7 failed'));
    await expect(changeVisualization(request, look)).resolves.toBeUndefined();
  });

  it.each(['__unconfigured-panel', 'somebodys-panel', 'text'])('leaves %s alone', async (pluginId) => {
    const { request, panel, optionsPane } = panelWith({ pluginId });
    await changeVisualization(request, look);
    expect(panel.changePluginType).not.toHaveBeenCalled();
    expect(optionsPane.onToggleVizPicker).not.toHaveBeenCalled();
  });

  it('leaves a panel with other queries alone', async () => {
    const { request, panel } = panelWith({ pluginId: 'timeseries' });
    await changeVisualization({ ...request, targets: [grouped, { ...grouped, refId: 'B' }] }, look);
    expect(panel.changePluginType).not.toHaveBeenCalled();
  });

  it('does nothing where Grafana has no panel, or one that cannot be changed', async () => {
    await expect(changeVisualization(undefined, look)).resolves.toBeUndefined();
    const { request, panel } = panelWith({ pluginId: 'timeseries' });
    Object.assign(panel, { changePluginType: undefined, parent: undefined });
    await expect(changeVisualization(request, look)).resolves.toBeUndefined();
  });
});
