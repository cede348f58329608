import {
  CoreApp,
  createDataFrame,
  type DataFrame,
  type DataFrameJSON,
  dataFrameFromJSON,
  type DataQueryRequest,
  type Field,
  FieldType,
  type PreferredVisualisationType,
} from '@grafana/data';
import { t } from '@grafana/i18n';
import { config } from '@grafana/runtime';

import { withNotice } from './notices';
import { defaultFormat, type InsightsQuery } from './query';
import { panelOf } from './visualization';

/** The progress of a query that the backend is still reading. */
export interface Progress {
  unit: 'pages' | 'windows';
  read: number;
  /** The total number; absent if unknown. */
  of?: number;
  /** The data moved, and the pages are being read again. */
  again?: boolean;
  /** The rows read so far, if they are meaningful before all of them have arrived. */
  frame?: DataFrameJSON;
}

/** How partial data is drawn. Explore shows a table's frame name as its title, which is "titled". */
type Drawing = 'table' | 'titled' | 'graph' | 'number';

/**
 * Visualizations that are known to show what this file creates. Others would show nothing, or treat it as the final
 * response.
 */
const drawings: Record<string, Drawing> = {
  table: 'table',
  timeseries: 'graph',
  stat: 'number',
  gauge: 'number',
  bargauge: 'number',
};

const explored: Record<NonNullable<InsightsQuery['format']>, Drawing> = {
  table: 'titled',
  timeseries: 'graph',
  numeric: 'number',
};

/**
 * How a query can be drawn before its response has arrived; undefined if it can't. Only panels and Explore show
 * progress. Image rendering, shared dashboards, variables, and annotations wait for the response.
 */
export function drawingOf(request: DataQueryRequest<InsightsQuery>, query: InsightsQuery): Drawing | undefined {
  if (config.publicDashboardAccessToken || config.bootData?.user?.authenticatedBy === 'render') {
    return undefined;
  }
  if (request.app === CoreApp.Explore) {
    return explored[query.format ?? defaultFormat];
  }
  return drawings[request.panelPluginId ?? ''];
}

/** Whether partial rows can be shown. A transformation could turn them into a number, which would be wrong. */
export function showsRows(request: DataQueryRequest<InsightsQuery>, drawing: Drawing): boolean {
  return drawing !== 'number' && panelOf(request.scopedVars).transformations.length === 0;
}

/**
 * The scene object that sends the request, if there is one: the query runner of a panel, which Grafana passes as a
 * variable.
 */
export function askerOf({ scopedVars }: DataQueryRequest): object | undefined {
  const asker: unknown = scopedVars?.__sceneObject?.value?.valueOf();
  return typeof asker === 'object' && asker !== null ? asker : undefined;
}

/** What a query shows until its response arrives: a text with its progress, and the rows so far. */
export function partialFrames(
  query: InsightsQuery,
  progress: Progress,
  drawing: Drawing,
  range: DataQueryRequest['range']
): DataFrame[] {
  const words = progressText(progress);
  const rows = progress.frame && dataFrameFromJSON(progress.frame);
  const hasRows = rows !== undefined && rows.fields.length > 0;
  const frame = (preferred: PreferredVisualisationType, fields: Field[]) =>
    withNotice(createDataFrame({ refId: query.refId, meta: { preferredVisualisationType: preferred }, fields }), words);

  if (drawing === 'graph') {
    const empty = () => frame('graph', [field('time', FieldType.time, [range.from.valueOf(), range.to.valueOf()])]);
    return [withLegend(hasRows ? withNotice({ ...rows, refId: query.refId }, words) : empty(), words)];
  }
  if (drawing !== 'number' && hasRows) {
    const table = withNotice({ ...named(rows), name: words, refId: query.refId }, words);
    // If there are several frames, the panel shows the frame's name below its table.
    const more = createDataFrame({ refId: query.refId, name: t('progress.more', 'Loading more rows'), fields: [] });
    return drawing === 'table' ? [table, more] : [table];
  }
  const none = field(query.measure ?? words, FieldType.number, [null]);
  none.config = { noValue: words, color: neutral };
  return [frame('table', [none])];
}

const neutral = { mode: 'fixed', fixedColor: 'text' };

/**
 * Sets the display names of columns. Otherwise, Grafana appends them to the frame's name if there are several frames.
 */
function named(frame: DataFrame): DataFrame {
  const fields = frame.fields.map((each) => ({ ...each, config: { displayNameFromDS: each.name, ...each.config } }));
  return { ...frame, fields };
}

function field(name: string, type: FieldType, values: unknown[]): Field {
  return { name, type, values, config: {} };
}

/** Adds a series without values: its name appears in the legend. */
function withLegend(frame: DataFrame, words: string): DataFrame {
  const legend = field(words, FieldType.number, Array(frame.length).fill(null));
  legend.config = {
    color: neutral,
    custom: { hideFrom: { tooltip: true, viz: false, legend: false } },
  };
  return { ...frame, fields: [...frame.fields, legend] };
}

/** A human-readable text for the progress of a read. */
export function progressText({ unit, read, of, again }: Progress): string {
  const values = { read: read.toLocaleString(), of: of?.toLocaleString() };
  if (unit === 'windows') {
    return t('progress.sums', 'Read {{read}} of {{of}} totals', values);
  }
  if (again) {
    return t('progress.again', 'The data changed: {{read}} pages read again', values);
  }
  if (read === 0) {
    return t('progress.waiting', 'Waiting for the first page');
  }
  return of
    ? t('progress.pages', 'Read {{read}} of {{of}} pages', values)
    : t('progress.pages-so-far', 'Read {{read}} pages so far', values);
}
