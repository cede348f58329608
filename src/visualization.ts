import { CoreApp, type DataFrame, type DataQueryRequest, type Field, FieldType } from '@grafana/data';

import { dataSets, getDataSet } from '../datasets/datasets';
import { defaultFormat, type InsightsQuery, type SentQuery } from './query';

/**
 * Visualizations of Grafana that list rows, or find their values in columns: a number field for each group would be one
 * row, of as many columns as there are groups. A Bar chart needs a text field for its axis, a Histogram the values of all
 * groups in one field, and the others a column for each of their dimensions. Any other visualization, such as Stat, shows
 * one value for each field.
 */
const listsRows = [
  ...['table', 'barchart', 'heatmap', 'histogram', 'trend', 'xychart'],
  ...['geomap', 'nodeGraph', 'datagrid', 'logs'],
];

/** Visualizations that draw every number field of a table: for these, identifiers must be hidden. */
const drawsNumbers = ['timeseries', 'barchart'];

/** What Grafana says about the requester: `panelPluginId` is its visualization, which Explore doesn't have. */
type Requester = Partial<Pick<DataQueryRequest, 'app' | 'panelPluginId'>>;

/** What was asked, over which range, and for which visualization. */
type Asked = Pick<DataQueryRequest<InsightsQuery>, 'targets' | 'range' | 'panelPluginId'>;

/** Requests a row for each group where rows are listed. This is sent, never saved: rules get a field for each group. */
export function withShape(request: DataQueryRequest<InsightsQuery>): DataQueryRequest<SentQuery> {
  const targets = request.targets.map((query) =>
    query.format === 'numeric' && needsRows(request) ? { ...query, shape: 'long' as const } : query
  );
  return { ...request, targets };
}

function needsRows({ app, panelPluginId = '' }: Requester): boolean {
  return app === CoreApp.Explore || listsRows.includes(panelPluginId);
}

/**
 * Hides numeric identifiers if the panel would draw them: task IDs are a line at two billion, which flattens all other
 * lines. The field is kept, so overrides and transformations find it, and an override can show it again.
 */
export function withHiddenKeys(frames: DataFrame[], { panelPluginId = '' }: Requester): DataFrame[] {
  if (!drawsNumbers.includes(panelPluginId)) {
    return frames;
  }
  const hide = (field: Field): Field =>
    isDrawnKey(field)
      ? { ...field, config: { ...field.config, custom: { ...field.config.custom, hideFrom: hiddenFrom } } }
      : field;
  return frames.map((frame) => ({ ...frame, fields: frame.fields.map(hide) }));
}

const hiddenFrom = { viz: true, legend: true, tooltip: true };

function isDrawnKey({ name, type }: Field): boolean {
  return type === FieldType.number && dataSets.some(({ key }) => key === name);
}

/**
 * Drops the frame without rows that stands for a timeline without bars, or for a status history without lines: these
 * visualizations would say that they have no time field, instead of that there is no data. A timeline's frame that has
 * notices becomes a lane without bars, which shows them.
 */
export function withEmptyTimelines(frames: DataFrame[], { targets, range, panelPluginId }: Asked): DataFrame[] {
  if (panelPluginId === 'status-history') {
    return frames.filter(({ fields, meta }) => fields.length > 0 || meta?.notices?.length);
  }
  if (panelPluginId !== 'state-timeline') {
    return frames;
  }
  const timelines = targets.filter(({ format }) => format === 'timeline').map(({ refId }) => refId);
  return frames.flatMap((frame) => {
    if (frame.length > 0 || !timelines.includes(frame.refId ?? '')) {
      return frame;
    }
    return frame.meta?.notices?.length ? withoutBars(frame, [range.from.valueOf(), range.to.valueOf(), null]) : [];
  });
}

function withoutBars(frame: DataFrame, row: unknown[]): DataFrame {
  const fields = frame.fields.map((field, column) => ({
    ...field,
    values: [row[column]],
    config: { ...field.config, displayNameFromDS: '–' },
  }));
  return { ...frame, fields, length: 1 };
}

/**
 * Fits lines of totals, whose steps are whole days, into the time range of Time series. A line that ends before the time
 * range is emptied: Time series would offer to zoom to data outside it, and without fields it shows what the panel says if
 * there is no value. A single point gets an end: without a neighbor, its bar would be a third of the panel.
 */
export function withPointsInRange(frames: DataFrame[], { targets, range, panelPluginId }: Asked): DataFrame[] {
  if (panelPluginId !== 'timeseries') {
    return frames;
  }
  const totals = targets
    .filter(({ queryType, format }) => format === 'timeseries' && !getDataSet(queryType).timeFields)
    .map(({ refId }) => refId);
  const [from, to] = [range.from.valueOf(), range.to.valueOf()];
  return frames.map((frame) => {
    const last: number | undefined = frame.fields[0]?.values.at(-1);
    if (last === undefined || !totals.includes(frame.refId ?? '')) {
      return frame;
    }
    if (last < from) {
      return { ...frame, fields: [], length: 0 };
    }
    return frame.length === 1 ? withEnd(frame, to) : frame;
  });
}

function withEnd(frame: DataFrame, end: number): DataFrame {
  const fields = frame.fields.map((field, column) => ({
    ...field,
    values: [...field.values, column === 0 ? end : null],
  }));
  return { ...frame, fields, length: 2 };
}

/** What a visualization needs of the response to a query, to compare with the needs of another visualization. */
export function needOf({ format = defaultFormat }: InsightsQuery, requester: Requester): boolean {
  switch (format) {
    case 'numeric':
      return needsRows(requester);
    case 'table':
      return drawsNumbers.includes(requester.panelPluginId ?? '');
    default:
      return false;
  }
}
