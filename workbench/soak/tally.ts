import type { Asked } from './asked';
import type { Judgement, Outcome } from './judge';

/** So many wrong answers are told in full. */
const TOLD = 10;

/** Of the answers that no fault excuses, at least so many have to be whole: otherwise "incomplete" would hide anything. */
const LEAST_WHOLE = 0.8;

/** Counts what became of the answers. */
export class Tally {
  readonly outcomes: Record<Outcome, number> = { exact: 0, mixed: 0, incomplete: 0, excused: 0, wrong: 0 };
  /** Answers that nobody waited for any more. */
  left = 0;
  /** What went wrong, the first of it. */
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

  /** Notes what is wrong beside the answers. */
  complain(text: string) {
    if (this.complaints.length < TOLD) {
      this.complaints.push(text);
    }
  }

  get answers(): number {
    return Object.values(this.outcomes).reduce((sum, count) => sum + count, 0);
  }

  /** How many answers were excused by what goes by this name. */
  excusedBy(name: string): number {
    return this.excuses.get(name) ?? 0;
  }

  /** What is wrong with the answers as a whole. */
  faults(): string[] {
    const { exact, mixed, incomplete, wrong } = this.outcomes;
    const judged = exact + mixed + incomplete + wrong;
    const faults = wrong > 0 ? [`${wrong} of ${this.answers} answers are wrong`] : [];
    if (exact + mixed < judged * LEAST_WHOLE || exact === 0) {
      faults.push(`only ${exact + mixed} of ${judged} answers are whole`);
    }
    return faults;
  }

  line(): string {
    const outcomes = Object.entries(this.outcomes).map(([name, count]) => `${name} ${count}`);
    return `answers ${this.answers} (${outcomes.join(', ')}; left ${this.left})`;
  }
}
