import { renderHook } from '@testing-library/react';

import { type DataFrame, type DataQueryRequest, type PanelData } from '@grafana/data';

import { type InsightsQuery } from './query';
import { useVisualization, withPlainNames, withWide } from './visualization';

const grouped: InsightsQuery = { refId: 'A', format: 'numeric', measure: 'tasks', groupBy: ['state'] };

type PanelState = { pluginId: string; options?: object; fieldConfig?: object };

/** A panel of a dashboard with its queries in it, as @grafana/scenes has them. */
function panelWith(state: PanelState, transformations: unknown[] = []) {
  const listeners = new Set<() => void>();
  const panel = {
    state,
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
  return { request, become, listeners };
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
  ])('leaves %s as it is', (_, answer) => {
    expect(shown('stat', [answer]).onRunQuery).not.toHaveBeenCalled();
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

describe('withPlainNames', () => {
  const fields = (pattern: string) => ({ pluginId: 'stat', options: { reduceOptions: { fields: pattern } } });
  const override = (id: string, options: unknown) => ({
    pluginId: 'table',
    fieldConfig: { overrides: [{ matcher: { id, options } }] },
  });

  it.each<[string, PanelState, unknown[], boolean]>([
    ['names no field', { pluginId: 'stat' }, [], false],
    ['takes all numbers', fields(''), [], false],
    ['names a field', fields('/^savings$/'), [], true],
    ['named it with its words', fields('/^savings \\(last 24 h\\)$/'), [], false],
    ['has an override by name, which finds the field itself', override('byName', 'savings'), [], false],
    ['has an override by expression', override('byRegexp', '/^sav/'), [], true],
    ['has transformations', { pluginId: 'table' }, [{ id: 'organize' }], true],
  ])('a panel that %s', (_, state, transformations, plain) => {
    const { request } = panelWith(state, transformations);
    expect(withPlainNames(request).targets).toEqual([plain ? { ...grouped, plainNames: true } : grouped]);
  });

  it('leaves what has no panel', () => {
    const request = { targets: [grouped], scopedVars: {} } as unknown as DataQueryRequest<InsightsQuery>;
    expect(withPlainNames(request)).toBe(request);
  });
});
