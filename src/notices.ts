import { groupBy, uniq } from 'lodash';

import { CoreApp, type DataFrame, type QueryResultMetaNotice } from '@grafana/data';

import { type InsightsQuery } from './query';

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

/** One notice with the sentences of several of the same severity. */
function join(notices: QueryResultMetaNotice[]): QueryResultMetaNotice {
  const sentences = uniq(notices.map(({ text }) => text.replace(/\.$/, '')));
  return { ...notices[0], text: sentences.length === 1 ? notices[0].text : `${sentences.join('. ')}.` };
}

/**
 * Frames without the notice that a filter excludes all rows, for who looks at a dashboard: 0 is an answer, and only
 * somebody who edits the query can change the filter. Without groups, the notice is the only explanation.
 */
export function forViewers(frames: DataFrame[], { groupBy = [] }: InsightsQuery, app?: string): DataFrame[] {
  if (app !== CoreApp.Dashboard || groupBy.length > 0) {
    return frames;
  }
  return frames.map((frame) => ({
    ...frame,
    meta: { ...frame.meta, notices: frame.meta?.notices?.filter(({ text }) => !/^0 of \d+ rows match: /.test(text)) },
  }));
}
