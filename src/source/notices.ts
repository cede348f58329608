import { groupBy, uniq } from 'lodash';

import { type DataFrame, type QueryResultMetaNotice } from '@grafana/data';

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
