/** How long a read can go on after its last caller has left: until the backend knows, or it has ended anyway. */
const UNKNOWN_MS = 500;

/** A query that waits, or waited a moment ago. Times in milliseconds, as performance.now() counts them. */
interface Waiting {
  /** The earliest start of the read that it waits for, whether it started or joined it. */
  from: number;
  /** Infinity while it waits; in the future if its caller has left and it may still be read. */
  until: number;
}

/**
 * The possible age of the rows in a response. Equal queries share a read: one in flight, or one that ended less than
 * `cacheTTL` ago. The plugin doesn't reveal which read was used, but the caller that started it waited until its end. A
 * caller who leaves doesn't end the read of the others.
 */
export class Sharing {
  private readonly queries = new Map<string, Waiting[]>();

  /** @param ttlMs `cacheTTL` in milliseconds */
  constructor(
    private readonly ttlMs: number,
    private readonly now: () => number = () => performance.now()
  ) {}

  /**
   * Records the start of a query.
   *
   * @param key the same for all queries that can share a read
   * @returns the earliest start of the read that answers it, and a function to call when it no longer waits
   */
  begin(key: string): { oldest: number; end: (hasLeft: boolean) => void } {
    const now = this.now();
    const recent = (this.queries.get(key) ?? []).filter(({ until }) => until >= now - this.ttlMs);
    // It joins what is still read for callers who have left.
    const left = recent.filter(({ until }) => until > now && until < Infinity);
    const query: Waiting = { from: Math.min(now, ...left.map(({ from }) => from)), until: Infinity };
    this.queries.set(key, [...recent, query]);
    return {
      oldest: Math.min(now, ...recent.map(({ from }) => from)),
      end: (hasLeft) => this.end(key, query, hasLeft),
    };
  }

  private end(key: string, query: Waiting, hasLeft: boolean) {
    query.until = this.now() + (hasLeft ? UNKNOWN_MS : 0);
    const others = (this.queries.get(key) ?? []).filter(({ until }) => until === Infinity);
    for (const other of hasLeft ? others : []) {
      other.from = Math.min(other.from, query.from);
    }
  }
}
