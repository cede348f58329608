import type { Span } from './timeline';

/**
 * How old the rows of an answer may be. Equal queries share a read: one in flight, or one that ended less than `cacheTTL`
 * ago. Whose read it was is the plugin's secret, but somebody was waiting for it all the time: it began no earlier than
 * the stretch in which there was always somebody who waited.
 */
export class Sharing {
  private readonly stretches = new Map<string, Array<Span & { waiting: number }>>();

  /** @param ttlMs `cacheTTL` in milliseconds */
  constructor(
    private readonly ttlMs: number,
    private readonly now: () => number = () => performance.now()
  ) {}

  /**
   * Notes that a query begins.
   *
   * @param key the same for all queries that may share a read
   * @returns when the read that answers it began at the earliest, and what to call when the answer is there
   */
  begin(key: string): { oldest: number; end: () => void } {
    const now = this.now();
    const recent = (this.stretches.get(key) ?? []).filter(({ until }) => until >= now - this.ttlMs);
    const current = recent.find(({ waiting }) => waiting > 0) ?? { from: now, until: Infinity, waiting: 0 };
    if (!recent.includes(current)) {
      recent.push(current);
    }
    this.stretches.set(key, recent);
    current.waiting++;
    const end = () => {
      current.waiting--;
      current.until = current.waiting > 0 ? Infinity : this.now();
    };
    return { oldest: Math.min(...recent.map(({ from }) => from)), end };
  }
}
