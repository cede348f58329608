import type { DataFrame } from '@grafana/data';
import { TableNG } from '@grafana/ui/unstable';
import React from 'react';

interface Props {
  frame: DataFrame;
  width: number;
}

const rowHeight = 36;
const maxHeight = 420;

/** A frame in the table that Grafana's own table panel draws. */
export function FrameTable({ frame, width }: Props) {
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
