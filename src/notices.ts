import { type DataFrame } from '@grafana/data';

/** Adds an info notice to a frame: Grafana shows it in the corner of the panel. */
export function withNotice(frame: DataFrame, text: string): DataFrame {
  const notices = [...(frame.meta?.notices ?? []), { severity: 'info' as const, text }];
  return { ...frame, meta: { ...frame.meta, notices } };
}
