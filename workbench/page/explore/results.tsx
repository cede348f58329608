import { applyFieldOverrides, DataFrameType, LoadingState, type DataFrame, type PanelData } from '@grafana/data';
import { Alert, LoadingBar, Stack, Text, useTheme2 } from '@grafana/ui';
import React, { useMemo } from 'react';
import { Graph } from './graph';
import { noticesOf } from './inspection';
import { withLooks } from './looks';
import { Numbers } from './numbers';
import { FrameTable } from './table';
import { useWidth } from './use-width';

const isGraph = ({ meta }: DataFrame) => meta?.type === DataFrameType.TimeSeriesWide;
const isNumbers = ({ meta }: DataFrame) => meta?.type === DataFrameType.NumericLong;
const counted = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`;

/** Errors, notices and the frames of an answer, each drawn in the way that suits it. */
export function Results({ data }: { data: PanelData }) {
  const theme = useTheme2();
  const [ref, width] = useWidth();
  // Units, decimals and value colours come with the fields; this turns them into what a cell or an axis shows.
  const frames = useMemo(
    () =>
      applyFieldOverrides({
        data: data.series.map(withLooks),
        fieldConfig: { defaults: {}, overrides: [] },
        replaceVariables: (text) => text,
        theme,
        timeZone: 'browser',
      }),
    [data.series, theme]
  );

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
