import { act, renderHook } from '@testing-library/react';

import { type DataQueryRequest, type PanelData } from '@grafana/data';

import { type InsightsQuery } from '../query/query';
import { useVisualization } from './rerun';
import { panelWith, withoutSceneGraph } from '../testing/panel';

const numbers: InsightsQuery = { refId: 'A', format: 'numeric', measure: 'tasks', groupBy: ['state'] };
const table: InsightsQuery = { refId: 'A' };
const line: InsightsQuery = { refId: 'A', format: 'timeseries', measure: 'tasks' };

function draw(query: InsightsQuery, request?: DataQueryRequest) {
  const onRunQuery = jest.fn();
  const data = request && ({ request, series: [] } as unknown as PanelData);
  const { result, unmount } = renderHook(() => useVisualization(query, data, onRunQuery));
  return { onRunQuery, result, unmount };
}

function shown(query: InsightsQuery, pluginId: string) {
  const panel = panelWith({ pluginId }, query);
  const become = (...state: Parameters<typeof panel.become>) => act(() => panel.become(...state));
  return { ...panel, become, ...draw(query, panel.request) };
}

it('runs the query again for the other shape, once, and on the way back', () => {
  const { become, onRunQuery, result } = shown(numbers, 'table');
  expect(result.current).toBe('table');
  expect(onRunQuery).not.toHaveBeenCalled();
  become({ pluginId: 'stat' });
  become({ pluginId: 'stat', options: {} });
  become({ pluginId: 'gauge' });
  expect(onRunQuery).toHaveBeenCalledTimes(1);
  become({ pluginId: 'barchart' });
  expect(result.current).toBe('barchart');
  expect(onRunQuery).toHaveBeenCalledTimes(2);
});

it('runs it again where the panel changed while the editor was closed', () => {
  const { request, become } = panelWith({ pluginId: 'table' }, numbers);
  become({ pluginId: 'stat' });
  expect(draw(numbers, request).onRunQuery).toHaveBeenCalledTimes(1);
});

it.each([
  ['a line', line, 'timeseries', 'table'],
  ['a table', table, 'table', 'timeseries'],
  ['numbers in panels of fields', numbers, 'stat', 'piechart'],
])('leaves %s as it is', (_, query, before, after) => {
  const { become, onRunQuery } = shown(query, before);
  become({ pluginId: after });
  expect(onRunQuery).not.toHaveBeenCalled();
});

it('listens to nothing after the editor was left', () => {
  const { unmount, listeners } = shown(numbers, 'table');
  expect(listeners.size).toBe(1);
  unmount();
  expect(listeners.size).toBe(0);
});

it.each(withoutSceneGraph)('does nothing without the scene graph: %s', (_, request) => {
  const { onRunQuery, unmount } = draw(numbers, request);
  unmount();
  expect(onRunQuery).not.toHaveBeenCalled();
});

it('does nothing before the first request', () => {
  expect(draw(numbers).onRunQuery).not.toHaveBeenCalled();
});
