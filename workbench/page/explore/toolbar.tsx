import { dateTime, LoadingState, rangeUtil, type TimeRange } from '@grafana/data';
import { Button, Stack, TimeRangePicker } from '@grafana/ui';
import React, { useState } from 'react';

interface Props {
  range: TimeRange;
  state: LoadingState;
  onChange: (range: TimeRange) => void;
  onRun: () => void;
}

/** Moves a range by `steps` of half its length, or widens it to `zoom` times its length. */
function moved({ from, to }: TimeRange, steps: number, zoom = 1): TimeRange {
  const length = to.valueOf() - from.valueOf();
  const middle = (from.valueOf() + to.valueOf()) / 2 + (steps * length) / 2;
  const raw = { from: dateTime(middle - (zoom * length) / 2), to: dateTime(middle + (zoom * length) / 2) };
  return rangeUtil.convertRawToRange(raw);
}

/** Time range and run button. */
export function Toolbar({ range, state, onChange, onRun }: Props) {
  const [timeZone, setTimeZone] = useState('browser');
  const busy = state === LoadingState.Loading;
  return (
    <Stack justifyContent="flex-end" gap={1}>
      <TimeRangePicker
        value={range}
        timeZone={timeZone}
        onChange={onChange}
        onChangeTimeZone={setTimeZone}
        onMoveBackward={() => onChange(moved(range, -1))}
        onMoveForward={() => onChange(moved(range, 1))}
        onZoom={() => onChange(moved(range, 0, 2))}
      />
      <Button icon={busy ? 'fa fa-spinner' : 'sync'} onClick={onRun} data-testid="workbench-run">
        Run query
      </Button>
    </Stack>
  );
}
