import type { DataFrame, TimeRange } from '@grafana/data';
import { LegendDisplayMode } from '@grafana/schema';
import { TimeSeries } from '@grafana/ui';
import React from 'react';

interface Props {
  frame: DataFrame;
  width: number;
  timeRange: TimeRange;
}

/** A time series frame as lines, with its legend. */
export function Graph({ frame, width, timeRange }: Props) {
  return (
    <div data-testid="workbench-graph">
      <TimeSeries
        frames={[frame]}
        width={width}
        height={300}
        timeRange={timeRange}
        timeZone="browser"
        legend={{ showLegend: true, displayMode: LegendDisplayMode.List, placement: 'bottom', calcs: [] }}
      />
    </div>
  );
}
