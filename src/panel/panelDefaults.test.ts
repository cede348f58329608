import { changeVisualization, type PanelDefaults } from './panelDefaults';
import { panelWith, withoutSceneGraph } from '../testing/panel';

const look: PanelDefaults = {
  visualizations: ['bargauge', 'stat'],
  options: { orientation: 'horizontal' },
  defaults: { color: { mode: 'fixed' } },
};

it('brings the best visualization, and keeps what every visualization has', async () => {
  const { request, panel, optionsPane } = panelWith({
    pluginId: 'timeseries',
    fieldConfig: {
      defaults: { unit: 's', color: { mode: 'x' }, custom: { lineWidth: 2 } },
      overrides: [
        { matcher: { id: 'byName' }, properties: [{ id: 'unit' }] },
        { matcher: { id: 'byName' }, properties: [{ id: 'custom.lineWidth' }] },
      ],
    },
  });
  await changeVisualization(request, look);
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
  await changeVisualization({ ...request, targets: [...request.targets, { refId: 'B' }] }, look);
  expect(panel.changePluginType).not.toHaveBeenCalled();
});

it.each(withoutSceneGraph)('does nothing without the scene graph: %s', async (_, request) => {
  await expect(changeVisualization(request, look)).resolves.toBeUndefined();
});

it('does nothing before the first request', async () => {
  await expect(changeVisualization(undefined, look)).resolves.toBeUndefined();
});
