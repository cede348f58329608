import { type DataFrame, getDisplayProcessor, createTheme, getFieldDisplayName } from '@grafana/data';
import { config } from '@grafana/runtime';

import { drawingOf, partialFrames, type Progress, progressText, showsRows } from './partial';
import { type InsightsQuery } from './query';
import { requestOf, rowsOf } from './testing/loading';

const progress: Progress = { unit: 'pages', read: 1200, of: 5000 };
const words = 'Read 1,200 of 5,000 pages';
const { range } = requestOf('table');
const query: InsightsQuery = { refId: 'B', format: 'numeric', measure: 'tasks' };

const noticesOf = ({ meta }: DataFrame) => meta?.notices?.map(({ text }) => text);

it.each<[Partial<Progress>, string]>([
  [{}, words],
  [{ of: undefined }, 'Read 1,200 pages so far'],
  [{ read: 0 }, 'Waiting for the first page'],
  [{ again: true }, 'The data changed: 1,200 pages read again'],
  [{ unit: 'windows', read: 3, of: 30 }, 'Read 3 of 30 totals'],
])('describes %j: %s', (parts, text) => {
  expect(progressText({ ...progress, ...parts })).toBe(text);
});

describe('which requests show progress', () => {
  const drawing = (panelPluginId?: string, parts = {}, target: Partial<InsightsQuery> = {}) =>
    drawingOf({ ...requestOf(panelPluginId), ...parts }, { refId: 'A', ...target });

  it('panels that support it', () => {
    expect(['table', 'timeseries', 'stat', 'gauge', 'bargauge'].map((id) => drawing(id))).toEqual([
      'table',
      'graph',
      'number',
      'number',
      'number',
    ]);
    expect(drawing('piechart')).toBeUndefined();
  });

  it('Explore, by the format of the query', () => {
    const explore = { app: 'explore' };
    expect(drawing(undefined, explore)).toBe('titled');
    expect(drawing(undefined, explore, { format: 'timeseries' })).toBe('graph');
    expect(drawing(undefined, explore, { format: 'numeric' })).toBe('number');
  });

  it('no variables or annotations, which belong to no panel', () => {
    expect(drawing(undefined)).toBeUndefined();
  });

  describe('elsewhere', () => {
    const { publicDashboardAccessToken, bootData } = config;
    afterEach(() => Object.assign(config, { publicDashboardAccessToken, bootData }));

    it('no shared dashboards or image rendering', () => {
      config.publicDashboardAccessToken = 'token';
      expect(drawing('table')).toBeUndefined();
      config.publicDashboardAccessToken = '';
      config.bootData = { ...bootData, user: { ...bootData?.user, authenticatedBy: 'render' } };
      expect(drawing('table')).toBeUndefined();
    });
  });

  it('rows are shown in tables and graphs, without transformations', () => {
    const transformed = (transformations: unknown[]) => {
      const runner = { parent: { state: { transformations } } };
      const request = requestOf('table');
      request.scopedVars = { __sceneObject: { text: '', value: { valueOf: () => runner } } };
      return showsRows(request, 'table');
    };
    expect(showsRows(requestOf('table'), 'table')).toBe(true);
    expect(showsRows(requestOf('timeseries'), 'graph')).toBe(true);
    expect(showsRows(requestOf('stat'), 'number')).toBe(false);
    expect(transformed([])).toBe(true);
    expect(transformed([{ id: 'reduce' }])).toBe(false);
  });
});

describe('partial frames', () => {
  it('a table has the rows so far, with their own names, and a text below', () => {
    const [rows, more, ...others] = partialFrames(query, { ...progress, frame: rowsOf(7, 8) }, 'table', range);
    expect(others).toEqual([]);
    expect(rows).toMatchObject({ name: words, refId: 'B', fields: [{ values: [7, 8] }] });
    expect(getFieldDisplayName(rows.fields[0], rows, [rows, more])).toBe('id');
    expect(more).toMatchObject({ name: 'Loading more rows', length: 0, refId: 'B' });
    expect(noticesOf(rows)).toEqual([words]);
  });

  it('a table in Explore has the progress as its name', () => {
    expect(partialFrames(query, { ...progress, frame: rowsOf(7) }, 'titled', range)).toMatchObject([{ name: words }]);
  });

  it.each(['table', 'number'] as const)('a %s without rows shows the text in place of the number', (drawing) => {
    const [frame, ...others] = partialFrames(query, progress, drawing, range);
    expect(others).toEqual([]);
    expect(frame).toMatchObject({ refId: 'B', length: 1, fields: [{ name: 'tasks', values: [null] }] });
    const [field] = frame.fields;
    expect(getDisplayProcessor({ field, theme: createTheme() })(null).text).toBe(words);
    expect(noticesOf(frame)).toEqual([words]);
  });

  it('a graph shows the text in its legend, over the whole range', () => {
    const [frame] = partialFrames(query, progress, 'graph', range);
    expect(frame.fields).toMatchObject([
      { type: 'time', values: [range.from.valueOf(), range.to.valueOf()] },
      { name: words, type: 'number', values: [null, null] },
    ]);
  });

  it('a graph keeps the lines so far', () => {
    const [frame] = partialFrames(query, { ...progress, frame: rowsOf(7, 8) }, 'graph', range);
    expect(frame.fields).toMatchObject([{ values: [7, 8] }, { name: words, values: [null, null] }]);
    expect(frame.length).toBe(2);
  });
});
