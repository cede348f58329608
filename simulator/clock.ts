/** One day in milliseconds. */
export const DAY = 86_400_000;

/** One hour in milliseconds. */
export const HOUR = 3_600_000;

/** The number of whole UTC days since 1970 at a time in milliseconds. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY);
}

/**
 * The time of the simulated world, in milliseconds since 1970. A live clock moves in whole seconds, so that all
 * requests within a second see the same world and share its sums.
 */
export class Clock {
  private frozenAt: number | null;
  private shift = 0;

  constructor(frozen?: string) {
    this.frozenAt = frozen === undefined ? null : Date.parse(frozen);
  }

  now(): number {
    return this.frozenAt ?? Math.floor((Date.now() + this.shift) / 1000) * 1000;
  }

  get frozen(): boolean {
    return this.frozenAt !== null;
  }

  /** Freezes the clock at a time in milliseconds. */
  freeze(time: number) {
    this.frozenAt = time;
  }

  /** Moves the clock by a number of seconds, back if negative. A live clock stays live. */
  advance(seconds: number) {
    if (this.frozenAt === null) {
      this.shift += seconds * 1000;
    } else {
      this.frozenAt += seconds * 1000;
    }
  }

  /** Follows the wall clock again. */
  live() {
    this.frozenAt = null;
    this.shift = 0;
  }
}
