import { isNewPanel, visualizationOf } from './scene';
import { panelWith, withoutSceneGraph } from '../testing/panel';

it.each([true, false])('knows whether a panel is new (%s)', (isNew) => {
  expect(isNewPanel(panelWith({ pluginId: 'stat' }, {}, isNew).request)).toBe(isNew);
});

it('knows the visualization that a panel has now', () => {
  const { request, become } = panelWith({ pluginId: 'stat' });
  become({ pluginId: 'table' });
  expect(visualizationOf(request)).toBe('table');
});

it.each(withoutSceneGraph)('takes what the request says without the scene graph: %s', (_, request) => {
  expect(visualizationOf(request)).toBe('timeseries');
  expect(isNewPanel(request)).toBe(false);
});
