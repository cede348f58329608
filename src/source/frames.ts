import { groupBy, uniq } from 'lodash';

import { CoreApp, type DataFrame, type DataQueryRequest, type QueryResultMetaNotice } from '@grafana/data';

import { type InsightsQuery, isVariable } from '../query/query';

// Visualizations of Grafana that list rows, or find their values in columns: a number field for each group would be one row, of
// as many columns as there are groups. A Bar chart needs a text field for its axis, a Histogram the values of all groups in one
// field, and the others a column for each of their dimensions. Any other visualization, such as Stat, shows one value for each
// field.
const listsRows = [
  ...['table', 'barchart', 'heatmap', 'histogram', 'trend', 'xychart'],
  ...['geomap', 'nodeGraph', 'datagrid', 'logs'],
];

/** What Grafana says about the requester: `panelPluginId` is its visualization, which Explore doesn't have. */
type Requester = Partial<Pick<DataQueryRequest, 'app' | 'panelPluginId'>>;

/** Whether the response must have a row for each group. This is sent, never saved: rules get a field for each group. */
export function needsRows({ format }: InsightsQuery, { app, panelPluginId = '' }: Requester): boolean {
  const isNumeric = format === 'numeric' || isVariable(format);
  return isNumeric && (app === CoreApp.Explore || listsRows.includes(panelPluginId));
}

/**
 * Collects the notices of a query's frames in its first frame, one for each severity, with every sentence once. Grafana
 * shows the last notice of a severity in the corner of a panel, and a timeline has a frame for each lane.
 */
export function withNoticesOnce(frames: DataFrame[], added: QueryResultMetaNotice[] = []): DataFrame[] {
  const notices = [...frames.flatMap(({ meta }) => meta?.notices ?? []), ...added];
  if (notices.length === 0) {
    return frames;
  }
  const joined = Object.values(groupBy(notices, 'severity')).map(join);
  return frames.map((frame, index) => ({ ...frame, meta: { ...frame.meta, notices: index === 0 ? joined : [] } }));
}

function join(notices: QueryResultMetaNotice[]): QueryResultMetaNotice {
  const sentences = uniq(notices.map(({ text }) => text.replace(/\.$/, '')));
  return { ...notices[0], text: sentences.length === 1 ? notices[0].text : `${sentences.join('. ')}.` };
}
