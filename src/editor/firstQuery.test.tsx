import '../testing/dom';
import { CoreApp, type PanelData } from '@grafana/data';

import { panelWith } from '../testing/panel';
import { defaultQuery, type InsightsQuery, newPanel } from '../query';
import { edit } from '../testing/editing';
import { QueryEditor } from './QueryEditor';

const made: Partial<InsightsQuery> = defaultQuery(CoreApp.PanelEditor);

/** The props that the editor gets from a panel of a dashboard. */
function dataOf(pluginId: string, isNewPanel: boolean): PanelData {
  return { series: [], request: panelWith({ pluginId }, {}, isNewPanel).request } as unknown as PanelData;
}

it.each<[string, Partial<InsightsQuery>, boolean, string]>([
  ['the query that a new panel has', {}, true, 'timeseries'],
  ['the query of a new panel whose data source was chosen', made, true, 'timeseries'],
  ['a query that is added to a saved panel', made, false, 'timeseries'],
  ['a number panel', {}, true, 'stat'],
])('begins with lines that are saved and run once: %s', (_, query, isNewPanel, pluginId) => {
  const data = dataOf(pluginId, isNewPanel);
  const { saved, changes, onRunQuery } = edit(QueryEditor, query, { app: CoreApp.PanelEditor, data });
  expect(saved.query).toStrictEqual({ refId: 'A', ...newPanel });
  expect(changes).toHaveLength(1);
  expect(onRunQuery).toHaveBeenCalledTimes(1);
});

it.each<[string, Partial<InsightsQuery>, CoreApp | undefined, PanelData | undefined]>([
  ['a saved table of tasks', { queryType: 'tasks' }, CoreApp.PanelEditor, dataOf('timeseries', false)],
  ['a saved query that says nothing', {}, CoreApp.PanelEditor, dataOf('timeseries', false)],
  ['a new panel whose visualization is a table', made, CoreApp.PanelEditor, dataOf('table', true)],
  ['the table that was chosen in a new panel', { queryType: 'tasks' }, CoreApp.PanelEditor, dataOf('timeseries', true)],
  ['a query of which the panel is not known yet', made, CoreApp.PanelEditor, undefined],
  ['Explore', {}, CoreApp.Explore, dataOf('timeseries', true)],
  ['what has no app', {}, undefined, undefined],
])('leaves alone %s', (_, query, app, data) => {
  const { changes, onRunQuery } = edit(QueryEditor, query, { app, data });
  expect(changes).toEqual([]);
  expect(onRunQuery).not.toHaveBeenCalled();
});
