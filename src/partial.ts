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

/** How far the backend has come with a query that it still reads for. */
export interface Progress {
  unit: 'pages' | 'windows';
  read: number;
  /** How many there are; absent: not known. */
  of?: number;
  /** The data moved, and the pages are read once more. */
  again?: boolean;
  /** The rows that have been read, where they tell something before all of them are there. */
  frame?: DataFrameJSON;
}

/** How an answer that is not there yet is drawn. Explore calls a table what its frame is called; that one is titled. */
type Drawing = 'table' | 'titled' | 'graph' | 'number';

/** Visualizations that were seen to show what this file makes. Others would draw nothing, or take it for the answer. */
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
 * How the answer to a query can be drawn before it is there; undefined: not at all. Only a panel and Explore are looked at
 * while they load. What renders an image, shares a dashboard, fills a variable or annotates waits for the answer.
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

/** Whether rows may be drawn that are not all. A transformation could make a number of them, and that would not be true. */
export function showsRows(request: DataQueryRequest<InsightsQuery>, drawing: Drawing): boolean {
  return drawing !== 'number' && !panelOf(request.scopedVars).isTransformed;
}

/** The scene object that asks, where there is one: the query runner of a panel, which Grafana hands to every variable. */
export function askerOf({ scopedVars }: DataQueryRequest): object | undefined {
  const asker: unknown = scopedVars?.__sceneObject?.value?.valueOf();
  return typeof asker === 'object' && asker !== null ? asker : undefined;
}

/** What a query shows until its answer is there: how far it has come, in words, with the rows that there are. */
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
    // The panel writes the name of a frame below its table, where there are several to choose from.
    const more = createDataFrame({ refId: query.refId, name: t('progress.more', 'More rows follow'), fields: [] });
    return drawing === 'table' ? [table, more] : [table];
  }
  const none = field(query.measure ?? words, FieldType.number, [null]);
  none.config = { noValue: words, color: neutral };
  return [frame('table', [none])];
}

const neutral = { mode: 'fixed', fixedColor: 'text' };

/** Names the columns as they are called, which Grafana would put behind the name of the frame where there are several. */
function named(frame: DataFrame): DataFrame {
  const fields = frame.fields.map((each) => ({ ...each, config: { displayNameFromDS: each.name, ...each.config } }));
  return { ...frame, fields };
}

function field(name: string, type: FieldType, values: unknown[]): Field {
  return { name, type, values, config: {} };
}

/** Adds a series without values: its name stands in the legend. */
function withLegend(frame: DataFrame, words: string): DataFrame {
  const legend = field(words, FieldType.number, Array(frame.length).fill(null));
  legend.config = {
    color: neutral,
    custom: { hideFrom: { tooltip: true, viz: false, legend: false } },
  };
  return { ...frame, fields: [...frame.fields, legend] };
}

/** How far a read has come, for a person. */
export function progressText({ unit, read, of, again }: Progress): string {
  const values = { read: read.toLocaleString(), of: of?.toLocaleString() };
  if (unit === 'windows') {
    return t('progress.sums', 'Read {{read}} of {{of}} sums', values);
  }
  if (again) {
    return t('progress.again', 'The data moved: read {{read}} pages again', values);
  }
  if (read === 0) {
    return t('progress.waiting', 'Waiting for the first page');
  }
  return of
    ? t('progress.pages', 'Read {{read}} of {{of}} pages', values)
    : t('progress.pages-so-far', 'Read {{read}} pages so far', values);
}
