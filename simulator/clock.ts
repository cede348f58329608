/** One day in milliseconds. */
export const DAY = 86_400_000;

/** The number of whole UTC days from 1970 to a time in milliseconds. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY);
}

/**
 * The time of the simulated world, in milliseconds since 1970. Live, it moves in whole seconds: all requests of one second
 * see one world, and what is summed up for one of them serves the others.
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

  /** Stands still at a time in milliseconds. */
  freeze(time: number) {
    this.frozenAt = time;
  }

  /** Moves by so many seconds, back when negative; a live clock stays live. */
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
