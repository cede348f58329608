import type { Asked } from './asked';
import type { Judgement, Outcome } from './judge';

/** Number of wrong responses to report in full. */
const TOLD = 10;

/**
 * Minimum share of complete responses among those that no fault excuses: otherwise, "incomplete" could hide anything.
 */
const LEAST_WHOLE = 0.8;

/** Counts the outcomes of the responses. */
export class Tally {
  readonly outcomes: Record<Outcome, number> = { exact: 0, mixed: 0, incomplete: 0, excused: 0, wrong: 0 };
  /** Responses that nobody waited for. */
  left = 0;
  /** The first errors. */
  readonly complaints: string[] = [];
  private readonly excuses = new Map<string, number>();

  add(asked: Asked, { outcome, complaint = '' }: Judgement, during: string[]) {
    this.outcomes[outcome]++;
    if (outcome === 'excused') {
      during.forEach((name) => this.excuses.set(name, (this.excuses.get(name) ?? 0) + 1));
    }
    if (outcome === 'wrong') {
      const { query, from, to, intervalMs } = asked;
      const range = `${new Date(from).toISOString()} to ${new Date(to).toISOString()} every ${intervalMs / 60_000} min`;
      this.complain(
        `${JSON.stringify(query)} over ${range}: ${complaint}${during.length ? ` [${during.join(', ')}]` : ''}`
      );
    }
  }

  /** Records a problem other than a wrong response. */
  complain(text: string) {
    if (this.complaints.length < TOLD) {
      this.complaints.push(text);
    }
  }

  get answers(): number {
    return Object.values(this.outcomes).reduce((sum, count) => sum + count, 0);
  }

  /** The number of responses excused by the cause with this name. */
  excusedBy(name: string): number {
    return this.excuses.get(name) ?? 0;
  }

  /** The problems of the responses as a whole. */
  faults(): string[] {
    const { exact, mixed, incomplete, wrong } = this.outcomes;
    const judged = exact + mixed + incomplete + wrong;
    const faults = wrong > 0 ? [`${wrong} of ${this.answers} responses are wrong`] : [];
    if (exact + mixed < judged * LEAST_WHOLE || exact === 0) {
      faults.push(`only ${exact + mixed} of ${judged} responses are complete`);
    }
    return faults;
  }

  line(): string {
    const outcomes = Object.entries(this.outcomes).map(([name, count]) => `${name} ${count}`);
    return `responses ${this.answers} (${outcomes.join(', ')}; left ${this.left})`;
  }
}
