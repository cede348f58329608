import type { FrameJson } from '../../../workbench/backend/frames';

export const dayMs = 86_400_000;

export type Values = Array<number | null>;

/** Ranges of totals use Grafana's clock, which moves, and the totals use the simulator's clock, which is frozen. */
export const daysAgo = (days: number) => Date.now() - days * dayMs;

/** Series by the values of their labels. */
export function seriesOf({ schema, data }: FrameJson): Map<string, Values> {
  return new Map(
    schema.fields
      .slice(1)
      .map(({ labels }, index) => [Object.values(labels ?? {}).join(), data.values[index + 1] as Values])
  );
}

/** The service rounds savings to cents in each window, and items are whole numbers. */
export const isClose = (got: number | null | undefined, want: number) => got != null && Math.abs(got - want) < 0.0101;
