import {
  CoreApp,
  LoadingState,
  rangeUtil,
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceApi,
  type PanelData,
  type TimeRange,
} from '@grafana/data';
import type { DataQuery } from '@grafana/schema';
import { useCallback, useEffect, useRef, useState } from 'react';
import { from, type Subscription } from 'rxjs';

const maxDataPoints = 1_000;
let requests = 0;

function requestOf(query: DataQuery, range: TimeRange): DataQueryRequest {
  const { interval, intervalMs } = rangeUtil.calculateInterval(range, maxDataPoints);
  return {
    app: CoreApp.Explore,
    requestId: `workbench-${(requests += 1)}`,
    ...{ range, interval, intervalMs, maxDataPoints },
    targets: [query],
    timezone: 'browser',
    scopedVars: {},
    startTime: Date.now(),
  };
}

/** Runs queries one at a time: a new one cancels the previous one, in the service, too. */
export function useQuery(api: DataSourceApi): [PanelData, (query: DataQuery, range: TimeRange) => void] {
  const running = useRef<Subscription>(undefined);
  const [data, setData] = useState<PanelData>(() => ({
    state: LoadingState.NotStarted,
    series: [],
    timeRange: rangeUtil.convertRawToRange({ from: 'now-7d', to: 'now' }),
  }));

  const run = useCallback(
    (query: DataQuery, { raw }: TimeRange) => {
      // "now" moves: a relative range is evaluated again each time.
      const timeRange = rangeUtil.convertRawToRange(raw);
      const request = requestOf(query, timeRange);
      const fail = (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        setData({ state: LoadingState.Error, series: [], request, timeRange, errors: [{ message }] });
      };
      const show = ({ data: series, state = LoadingState.Done, errors, error }: DataQueryResponse) => {
        const failed = errors ?? (error ? [error] : undefined);
        setData({ state, series, errors: failed, request: { ...request, endTime: Date.now() }, timeRange });
      };
      running.current?.unsubscribe();
      setData((before) => ({ ...before, state: LoadingState.Loading, request }));
      if (api.filterQuery?.(query) === false) {
        show({ data: [] });
        return;
      }
      running.current = from(api.query(request)).subscribe({ next: show, error: fail });
    },
    [api]
  );

  useEffect(() => () => running.current?.unsubscribe(), []);
  return [data, run];
}
