import { uniqBy } from 'lodash';
import React, { type RefObject, useEffect, useMemo, useRef, useState } from 'react';

import {
  applyFieldOverrides,
  cacheFieldDisplayNames,
  type DataFrame,
  DataFrameType,
  dataFrameToJSON,
  FieldColorModeId,
  LoadingState,
  type PanelData,
  type QueryResultMetaNotice,
  type TimeRange,
} from '@grafana/data';
import { LegendDisplayMode } from '@grafana/schema';
import { Alert, LoadingBar, Stack, Text, TimeSeries, useTheme2 } from '@grafana/ui';
import { TableNG } from '@grafana/ui/unstable';

const isGraph = ({ meta, fields }: DataFrame) => meta?.type === DataFrameType.TimeSeriesWide && fields.length > 0;
const counted = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`;

/** The errors, notices, and frames of a response, each drawn in a suitable way. */
export function Results({ data }: { data: PanelData }) {
  const theme = useTheme2();
  const [ref, width] = useWidth();
  // Units, decimals, and value colors are in the fields; this converts them for cells and axes.
  const frames = useMemo(() => {
    const drawn = applyFieldOverrides({
      data: data.series,
      fieldConfig: { defaults: { color: { mode: FieldColorModeId.PaletteClassic } }, overrides: [] },
      replaceVariables: (text) => text,
      theme,
      timeZone: 'browser',
    });
    // As in Grafana's panels: the table identifies columns by these, and all lines have the name of their measure.
    cacheFieldDisplayNames(drawn);
    return drawn;
  }, [data.series, theme]);

  return (
    <div ref={ref} data-testid="workbench-results" data-state={data.state}>
      <div style={{ height: 2 }}>
        {data.state === LoadingState.Loading && width > 0 && <LoadingBar width={width} />}
      </div>
      <Stack direction="column" gap={2}>
        {data.errors?.map(({ message }, index) => (
          <Alert key={index} severity="error" title="Query error" data-testid="workbench-error">
            {message}
          </Alert>
        ))}
        {noticesOf(data).map(({ severity, text }) => (
          <Alert key={text} severity={severity} title={text} data-testid="workbench-notice-of-frame" />
        ))}
        {width > 0 &&
          frames.map((frame, index) => (
            <Stack key={index} direction="column" gap={1}>
              {isGraph(frame) && <Graph frame={frame} width={width} timeRange={data.timeRange} />}
              <Text variant="bodySmall" color="secondary">
                <span data-testid="workbench-rows">
                  {counted(frame.length, 'row')} · {counted(frame.fields.length, 'field')}
                </span>
              </Text>
              <FrameTable frame={frame} width={width} />
            </Stack>
          ))}
        <Response data={data} />
      </Stack>
    </div>
  );
}

/** A time series frame as lines, with its legend. */
function Graph({ frame, width, timeRange }: { frame: DataFrame; width: number; timeRange: TimeRange }) {
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

const rowHeight = 36;
const maxHeight = 420;

/** A frame in the table component of Grafana's own table panel. */
function FrameTable({ frame, width }: { frame: DataFrame; width: number }) {
  if (frame.fields.length === 0) {
    return <p data-testid="workbench-table">No data</p>;
  }
  const height = Math.min(maxHeight, rowHeight * (frame.length + 1) + 20);
  return (
    <div data-testid="workbench-table" style={{ height }}>
      <TableNG data={frame} width={width} height={height} />
    </div>
  );
}

// Enough to see the contents of a frame; a hundred thousand rows of JSON would only freeze the page.
const jsonLimit = 20_000;

/** The response itself, with the executed query and the statistics that Grafana's inspector shows. */
function Response({ data: { series, errors } }: { data: PanelData }) {
  const [open, setOpen] = useState(false);
  const text = () => JSON.stringify({ errors, frames: series.map((frame) => dataFrameToJSON(frame)) }, undefined, 2);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} data-testid="workbench-response">
      <summary>Response</summary>
      {open && <pre style={{ maxHeight: 420, overflow: 'auto' }}>{text().slice(0, jsonLimit)}</pre>}
    </details>
  );
}

/** The notices of all frames, without duplicates. */
function noticesOf({ series }: PanelData): QueryResultMetaNotice[] {
  return uniqBy(
    series.flatMap(({ meta }) => meta?.notices ?? []),
    'text'
  );
}

/** The width of an element, updated when it changes; 0 until it is known. */
function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)));
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
