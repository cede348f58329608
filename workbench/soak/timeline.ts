/** A stretch of wall clock in milliseconds, as performance.now() counts them. */
export interface Span {
  from: number;
  /** Infinity until it has ended. */
  until: number;
}

/** Things that were so for a while. */
export class Timeline<T> {
  private spans: Array<Span & { what: T }> = [];

  constructor(
    private readonly keptMs: number,
    private readonly now: () => number = () => performance.now()
  ) {}

  /** Notes that something may be so from now on; call the result once it is surely over. */
  begin(what: T): () => void {
    const now = this.now();
    this.spans = this.spans.filter(({ until }) => until > now - this.keptMs);
    const span = { what, from: now, until: Infinity };
    this.spans.push(span);
    return () => {
      span.until = this.now();
    };
  }

  /** What was so at any time of a span, in the order in which it began. */
  during({ from, until }: Span): T[] {
    return this.spans.filter((span) => span.from <= until && span.until >= from).map(({ what }) => what);
  }
}
