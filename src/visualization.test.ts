import {
  CoreApp,
  createDataFrame,
  type DataFrame,
  type DataQueryRequest,
  dateTime,
  FieldType,
  type QueryResultMeta,
  type QueryResultMetaNotice,
  type TimeRange,
} from '@grafana/data';

import { type InsightsQuery } from './query';
import { withEmptyTimelines, withHiddenKeys, withPointsInRange, withShape } from './visualization';

const grouped: InsightsQuery = { refId: 'A', format: 'numeric', measure: 'tasks', groupBy: ['state'] };

type Request = DataQueryRequest<InsightsQuery>;

describe('withShape', () => {
  const shapes = (parts: Partial<Request>) =>
    withShape({ targets: [grouped], ...parts } as Request).targets.map(({ shape }) => shape);

  it.each([
    ...['table', 'barchart', 'heatmap', 'histogram', 'trend', 'xychart', 'geomap', 'nodeGraph', 'datagrid', 'logs'],
  ])('requests a row for each group for %s', (panelPluginId) => {
    expect(shapes({ panelPluginId })).toEqual(['long']);
  });

  it.each(['stat', 'gauge', 'bargauge', 'piechart', 'timeseries', 'canvas', 'somebodys-panel', undefined])(
    'leaves %s a field for each group',
    (panelPluginId) => {
      expect(shapes({ panelPluginId })).toEqual([undefined]);
    }
  );

  it('requests rows for Explore, which has no visualization', () => {
    expect(shapes({ app: CoreApp.Explore })).toEqual(['long']);
    expect(shapes({ app: CoreApp.Dashboard })).toEqual([undefined]);
  });

  it('leaves tables and lines alone, and the saved query', () => {
    const targets: InsightsQuery[] = [{ refId: 'A' }, { ...grouped, format: 'timeseries' }, grouped];
    expect(shapes({ panelPluginId: 'table', targets })).toEqual([undefined, undefined, 'long']);
    expect(grouped).not.toHaveProperty('shape');
  });
});

describe('withEmptyTimelines', () => {
  const notices: QueryResultMetaNotice[] = [{ severity: 'info', text: 'No row matches' }];
  const lane = (refId: string, starts: number[], meta?: QueryResultMeta): DataFrame =>
    createDataFrame({
      refId,
      meta,
      fields: [
        { name: 'start', type: FieldType.time, values: starts },
        { name: 'end', type: FieldType.time, values: starts.map((start) => start + 1) },
        { name: 'state', type: FieldType.string, values: starts.map(() => 'invoices') },
      ],
    });
  const answered = (frames: DataFrame[], panelPluginId: string | undefined = 'state-timeline') => {
    const targets: InsightsQuery[] = [{ refId: 'A', format: 'timeline' }, { refId: 'B' }];
    return withEmptyTimelines(frames, {
      targets,
      range: { from: dateTime(7), to: dateTime(9) } as TimeRange,
      panelPluginId,
    });
  };

  it('drops the frame that stands for nothing, and no other', () => {
    const kept = [lane('A', [1]), lane('B', []), lane('B', [], { notices })];
    expect(answered([lane('A', []), ...kept])).toEqual(kept);
  });

  it('shows the notices of nothing at a lane without bars', () => {
    const [shown] = answered([lane('A', [], { notices })]);
    expect(shown).toMatchObject({ length: 1, meta: { notices } });
    expect(shown.fields.map(({ values }) => values)).toEqual([[7], [9], [null]]);
  });

  it('drops a frame without fields and notices from a status history', () => {
    const kept = [lane('B', [1]), { ...lane('B', []), fields: [], meta: { notices } }];
    expect(answered([{ ...lane('B', []), fields: [] }, ...kept], 'status-history')).toEqual(kept);
  });

  it.each(['table', undefined])('leaves %s as it is', (panelPluginId) => {
    const frames = [lane('A', []), lane('A', [], { notices })];
    expect(
      withEmptyTimelines(frames, {
        targets: [{ refId: 'A', format: 'timeline' }],
        range: {} as TimeRange,
        panelPluginId,
      })
    ).toBe(frames);
  });
});

describe('withPointsInRange', () => {
  const notices: QueryResultMetaNotice[] = [{ severity: 'info', text: 'The service counts whole days' }];
  const line = (refId: string, times: number[]): DataFrame =>
    createDataFrame({
      refId,
      meta: { notices },
      fields: [
        { name: 'time', type: FieldType.time, values: times },
        { name: 'savings', type: FieldType.number, values: times },
      ],
    });
  const shown = (frame: DataFrame, panelPluginId: string | undefined = 'timeseries') =>
    withPointsInRange([frame], {
      targets: [
        { refId: 'A', queryType: 'automations', format: 'timeseries', measure: 'savings' },
        { refId: 'B', format: 'timeseries', measure: 'tasks' },
        { refId: 'C', queryType: 'automations' },
      ],
      range: { from: dateTime(7), to: dateTime(9) } as TimeRange,
      panelPluginId,
    })[0];

  it('empties a line that ends before the time range, and keeps its notices', () => {
    expect(shown(line('A', [3, 6]))).toMatchObject({ fields: [], length: 0, meta: { notices } });
  });

  it('ends a single point with the time range, so that its bar is as wide as its step', () => {
    const { length, fields } = shown(line('A', [7]));
    expect([length, ...fields.map(({ values }) => values)]).toEqual([2, [7, 9], [7, null]]);
  });

  it.each([
    ['a line with a point in the range', line('A', [3, 7])],
    ['a line of tasks', line('B', [3, 6])],
    ['a table', line('C', [3, 6])],
    ['an empty line', line('A', [])],
  ])('keeps %s', (_, frame) => {
    expect(shown(frame)).toBe(frame);
  });

  it.each(['table', 'stat', 'barchart'])('leaves %s as it is', (panelPluginId) => {
    const frame = line('A', [3, 6]);
    expect(shown(frame, panelPluginId)).toBe(frame);
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
