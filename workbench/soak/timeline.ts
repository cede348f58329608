/** An interval of wall-clock time in milliseconds, as performance.now() counts them. */
export interface Interval {
  from: number;
  /** Infinity until it has ended. */
  until: number;
}

/** Conditions that were true for a while. */
export class Timeline<T> {
  private intervals: Array<Interval & { what: T }> = [];

  constructor(
    private readonly keptMs: number,
    private readonly now: () => number = () => performance.now()
  ) {}

  /** Records that a condition may be true from now on; call the result once it is certainly over. */
  begin(what: T): () => void {
    const now = this.now();
    this.intervals = this.intervals.filter(({ until }) => until > now - this.keptMs);
    const interval = { what, from: now, until: Infinity };
    this.intervals.push(interval);
    return () => {
      interval.until = this.now();
    };
  }

  /** The conditions at any time of an interval, in the order in which they started. */
  during({ from, until }: Interval): T[] {
    return this.intervals
      .filter((interval) => interval.from <= until && interval.until >= from)
      .map(({ what }) => what);
  }
}
