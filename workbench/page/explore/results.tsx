import { css } from '@emotion/css';
import React, { type RefObject, useEffect, useMemo, useRef, useState } from 'react';

import {
  applyFieldOverrides,
  cacheFieldDisplayNames,
  type DataFrame,
  DataFrameType,
  type Field,
  FieldColorModeId,
  type FieldConfig,
  FieldType,
  getDisplayProcessor,
  getFieldDisplayName,
  type GrafanaTheme2,
  LoadingState,
  type PanelData,
  type TimeRange,
} from '@grafana/data';
import { LegendDisplayMode, TableCellDisplayMode } from '@grafana/schema';
import {
  Alert,
  BigValue,
  BigValueColorMode,
  BigValueGraphMode,
  LoadingBar,
  Stack,
  Text,
  TimeSeries,
  useStyles2,
  useTheme2,
} from '@grafana/ui';
import { TableNG } from '@grafana/ui/unstable';

import { noticesOf } from './inspector';

const isGraph = ({ meta }: DataFrame) => meta?.type === DataFrameType.TimeSeriesWide;
const isNumbers = ({ meta }: DataFrame) => meta?.type === DataFrameType.NumericLong;
const counted = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`;

/** The errors, notices, and frames of a response, each drawn in a suitable way. */
export function Results({ data }: { data: PanelData }) {
  const theme = useTheme2();
  const [ref, width] = useWidth();
  // Units, decimals, and value colors are in the fields; this converts them for cells and axes.
  const frames = useMemo(() => {
    const drawn = applyFieldOverrides({
      data: data.series.map(withLooks),
      fieldConfig: { defaults: {}, overrides: [] },
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
              {isNumbers(frame) && <Numbers frame={frame} />}
              {isGraph(frame) && <Graph frame={frame} width={width} timeRange={data.timeRange} />}
              <Text variant="bodySmall" color="secondary">
                <span data-testid="workbench-rows">
                  {counted(frame.length, 'row')} · {counted(frame.fields.length, 'field')}
                </span>
              </Text>
              <FrameTable frame={frame} width={width} />
            </Stack>
          ))}
      </Stack>
    </div>
  );
}

interface GraphProps {
  frame: DataFrame;
  width: number;
  timeRange: TimeRange;
}

/** A time series frame as lines, with its legend. */
function Graph({ frame, width, timeRange }: GraphProps) {
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

// More would be a wall of tiles; the table below shows all of them.
const most = 12;

/** The rows of a numeric frame as in the stat panel: a tile for each, named after its labels. */
function Numbers({ frame }: { frame: DataFrame }) {
  const theme = useTheme2();
  const styles = useStyles2(getStyles);
  const number = frame.fields.find(({ type }) => type === FieldType.number);
  if (!number) {
    return null;
  }
  const labels = frame.fields.filter(({ type }) => type === FieldType.string);
  const display = number.display ?? getDisplayProcessor({ field: number, theme });
  return (
    <div className={styles.tiles} data-testid="workbench-numbers">
      {number.values.slice(0, most).map((value, row) => (
        <BigValue
          key={row}
          {...{ theme, width: 188, height: 84 }}
          value={{
            ...display(value),
            title: labels.map(({ values }) => values[row]).join(', ') || getFieldDisplayName(number, frame),
          }}
          colorMode={BigValueColorMode.None}
          graphMode={BigValueGraphMode.None}
        />
      ))}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  tiles: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1) }),
});

interface TableProps {
  frame: DataFrame;
  width: number;
}

const rowHeight = 36;
const maxHeight = 420;

/** A frame in the table component of Grafana's own table panel. */
function FrameTable({ frame, width }: TableProps) {
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

// Width for a date and a time; other columns share the rest.
const timeWidth = 180;

function looksOf({ type, config }: Field): FieldConfig {
  switch (type) {
    case FieldType.time:
      return { custom: { width: timeWidth } };
    case FieldType.number:
      return { color: { mode: FieldColorModeId.PaletteClassic } };
    default:
      return config.mappings?.length ? { custom: { cellOptions: { type: TableCellDisplayMode.Pill } } } : {};
  }
}

/** Styles fields as a dashboard's panels do: colors of series, pills for mapped values, width for times. */
function withLooks(frame: DataFrame): DataFrame {
  const fields = frame.fields.map((field) => {
    const looks = looksOf(field);
    const custom = { ...looks.custom, ...field.config.custom };
    return { ...field, config: { ...looks, ...field.config, custom } };
  });
  return { ...frame, fields };
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
