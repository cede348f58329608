import { CoreApp, type DataFrame, type DataQueryRequest, type Field, FieldType } from '@grafana/data';

import { dataSets } from '../schema/datasets';
import { defaultFormat, type InsightsQuery, isVariable, type SentQuery } from './query';

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

/** Requests a row for each group where rows are listed. This is sent, never saved: rules get a field for each group. */
export function shapeOf({ format }: InsightsQuery, requester: Requester): Pick<SentQuery, 'shape'> {
  return format === 'numeric' && needsRows(requester) ? { shape: 'long' } : {};
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

/** What a visualization needs of the response to a query, to compare with the needs of another visualization. */
export function needOf({ format = defaultFormat }: InsightsQuery, requester: Requester): boolean {
  if (format === defaultFormat) {
    return drawsNumbers.includes(requester.panelPluginId ?? '');
  }
  return (format === 'numeric' || isVariable(format)) && needsRows(requester);
}
