/** A span of wall-clock time in milliseconds, as performance.now() counts them. */
export interface Span {
  from: number;
  /** Infinity until it has ended. */
  until: number;
}

/** Conditions that were true for a while. */
export class Timeline<T> {
  private spans: Array<Span & { what: T }> = [];

  constructor(
    private readonly keptMs: number,
    private readonly now: () => number = () => performance.now()
  ) {}

  /** Records that a condition may be true from now on; call the result once it is certainly over. */
  begin(what: T): () => void {
    const now = this.now();
    this.spans = this.spans.filter(({ until }) => until > now - this.keptMs);
    const span = { what, from: now, until: Infinity };
    this.spans.push(span);
    return () => {
      span.until = this.now();
    };
  }

  /** The conditions at any time of a span, in the order in which they started. */
  during({ from, until }: Span): T[] {
    return this.spans.filter((span) => span.from <= until && span.until >= from).map(({ what }) => what);
  }
}
