import '../testing/dom';
import { cloneDeep } from 'lodash';

import { CoreApp, type PanelData } from '@grafana/data';

import { QueryEditor } from '../editor/QueryEditor';
import { defaultQuery, isUntouched, newPanel, newRule } from './firstQuery';
import { type InsightsQuery, taskColumns, withParts } from './query';
import { edit } from '../testing/editing';
import { panelWith } from '../testing/panel';

const made: Partial<InsightsQuery> = defaultQuery(CoreApp.PanelEditor);

const madeQuery: InsightsQuery = { refId: 'A', ...made };

/** The props that the editor gets from a panel of a dashboard. */
function dataOf(pluginId: string, isNewPanel: boolean): PanelData {
  return { series: [], request: panelWith({ pluginId }, {}, isNewPanel).request } as unknown as PanelData;
}

it.each<[string, Partial<InsightsQuery>, boolean, string]>([
  ['the query that a new panel has', {}, true, 'timeseries'],
  ['the query of a new panel whose data source was chosen', made, true, 'timeseries'],
  ['a query that is added to a saved panel', made, false, 'timeseries'],
  ['a copy of it, as Grafana makes', cloneDeep(made), false, 'timeseries'],
  ['a number panel', {}, true, 'stat'],
])('begins with lines that are saved and run once: %s', (_, query, isNewPanel, pluginId) => {
  const data = dataOf(pluginId, isNewPanel);
  const { saved, changes, onRunQuery } = edit(QueryEditor, query, { app: CoreApp.PanelEditor, data });
  expect(saved.query).toStrictEqual({ refId: 'A', ...newPanel });
  expect(changes).toHaveLength(1);
  expect(onRunQuery).toHaveBeenCalledTimes(1);
});

it('begins with rows in a new panel whose visualization is a table', () => {
  const { saved, onRunQuery } = edit(QueryEditor, made, { app: CoreApp.PanelEditor, data: dataOf('table', true) });
  expect(saved.query).toStrictEqual({ refId: 'A', queryType: 'tasks', columns: taskColumns });
  expect(onRunQuery).toHaveBeenCalledTimes(1);
});

it('says in Explore what a query without anything means, because Explore runs none that says nothing', () => {
  const { saved, onRunQuery } = edit(QueryEditor, {}, { app: CoreApp.Explore });
  expect(saved.query).toStrictEqual({ refId: 'A', queryType: 'tasks' });
  expect(onRunQuery).toHaveBeenCalledTimes(1);
});

it.each<[string, Partial<InsightsQuery>, CoreApp | undefined, PanelData | undefined]>([
  ['a saved table of tasks', { queryType: 'tasks' }, CoreApp.PanelEditor, dataOf('timeseries', false)],
  ['a query that was saved', JSON.parse(JSON.stringify(made)), CoreApp.PanelEditor, dataOf('timeseries', false)],
  ['a new query with days', withParts(madeQuery, { days: 3 }), CoreApp.PanelEditor, dataOf('timeseries', false)],
  ['another data set', { ...made, queryType: 'runners' }, CoreApp.PanelEditor, dataOf('timeseries', false)],
  ['a saved query that says nothing', {}, CoreApp.PanelEditor, dataOf('timeseries', false)],
  ['the table that was chosen in a new panel', { queryType: 'tasks' }, CoreApp.PanelEditor, dataOf('timeseries', true)],
  ['a query of which the panel is not known yet', made, CoreApp.PanelEditor, undefined],
  ['Explore, once something is selected', { days: 3 }, CoreApp.Explore, dataOf('timeseries', true)],
  ['what has no app', {}, undefined, undefined],
])('leaves alone %s', (_, query, app, data) => {
  const { changes, onRunQuery } = edit(QueryEditor, query, { app, data });
  expect(changes).toEqual([]);
  expect(onRunQuery).not.toHaveBeenCalled();
});

describe('defaultQuery', () => {
  it.each([CoreApp.UnifiedAlerting, CoreApp.CloudAlerting])(
    'contains nothing that a saved rule would show (%s)',
    (app) => {
      expect(defaultQuery(app)).toEqual({});
    }
  );

  it.each([CoreApp.Explore, CoreApp.Dashboard, CoreApp.PanelEditor, undefined])('reads tasks elsewhere (%s)', (app) => {
    expect({ ...defaultQuery(app), refId: 'A' }).toMatchObject({ refId: 'A', queryType: 'tasks' });
  });

  it('contains nothing that would change a saved table of tasks, under which Grafana applies it', () => {
    const saved = { refId: 'A', queryType: 'tasks' };
    expect(JSON.parse(JSON.stringify({ ...defaultQuery(CoreApp.PanelEditor), ...saved }))).toEqual(saved);
  });
});

describe('isUntouched', () => {
  const fresh = { refId: 'A', datasource: { uid: 'x' }, hide: false, intervalMs: 1000, maxDataPoints: 43200 };

  it('recognizes a query to which only Grafana has added properties', () => {
    expect(isUntouched(fresh)).toBe(true);
  });

  it.each(Object.entries({ ...newRule, limit: 1, timeField: 'dateCreation', search: 'a', columns: ['id'] }))(
    'recognizes one with its own %s',
    (name, value) => {
      expect(isUntouched({ ...fresh, [name]: value })).toBe(false);
    }
  );
});
