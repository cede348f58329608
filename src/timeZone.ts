import { type DataQueryRequest } from '@grafana/data';

import { type InsightsQuery } from './query';

/** A line may have buckets of days, which begin at midnight where the dashboard is read. This is sent, never saved. */
export function withTimeZone(request: DataQueryRequest<InsightsQuery>): DataQueryRequest<InsightsQuery> {
  const timezone = zoneName(request.timezone);
  const targets = request.targets.map((query) => (query.format === 'timeseries' ? { ...query, timezone } : query));
  return { ...request, targets };
}

function zoneName(timezone: string): string {
  return timezone === 'browser' ? Intl.DateTimeFormat().resolvedOptions().timeZone : timezone;
}
