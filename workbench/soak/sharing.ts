/** A query that waits, or has waited a moment ago. Times in milliseconds, as performance.now() counts them. */
interface Waiting {
  /** When the read that it waits for began at the earliest, had it begun it itself or taken it over. */
  from: number;
  /** Infinity while it waits. */
  until: number;
}

/**
 * How old the rows of an answer may be. Equal queries share a read: one in flight, or one that ended less than `cacheTTL`
 * ago. Whose read it was is the plugin's secret, but who began it waited for it to its end. Somebody who leaves leaves the
 * read to those who wait with him.
 */
export class Sharing {
  private readonly queries = new Map<string, Waiting[]>();

  /** @param ttlMs `cacheTTL` in milliseconds */
  constructor(
    private readonly ttlMs: number,
    private readonly now: () => number = () => performance.now()
  ) {}

  /**
   * Notes that a query begins.
   *
   * @param key the same for all queries that may share a read
   * @returns when the read that answers it began at the earliest, and what to call when it waits no more
   */
  begin(key: string): { oldest: number; end: (hasLeft: boolean) => void } {
    const now = this.now();
    const recent = (this.queries.get(key) ?? []).filter(({ until }) => until >= now - this.ttlMs);
    const query: Waiting = { from: now, until: Infinity };
    this.queries.set(key, [...recent, query]);
    return {
      oldest: Math.min(now, ...recent.map(({ from }) => from)),
      end: (hasLeft) => this.end(key, query, hasLeft),
    };
  }

  private end(key: string, query: Waiting, hasLeft: boolean) {
    query.until = this.now();
    const others = (this.queries.get(key) ?? []).filter(({ until }) => until === Infinity);
    for (const other of hasLeft ? others : []) {
      other.from = Math.min(other.from, query.from);
    }
  }
}
