import { Observable } from 'rxjs';

import { type Progress } from './partial';
import { type InsightsQuery } from './query';

/** How long a query takes before anything is asked or shown, and how often it is asked, in milliseconds. */
const patience = 1000;
/** How long those that begin together are waited for, so that one request asks for all of them. */
const together = 250;
/** More are asked for in the next turn: the backend takes 100. A panel with more of its own waits for its answer. */
const most = 100;

/** A query as it was sent, with what the backend needs to find its read. */
export interface Sent extends InsightsQuery {
  from: number;
  to: number;
  intervalMs: number;
  maxDataPoints?: number;
  /** Whether rows can be drawn that are not all. */
  rows: boolean;
}

/** What the backend says of a query; null: nothing is read for it. */
export type Answer = Progress | { error: string } | null;
type Ask = (queries: Array<Sent & { elapsed: number }>) => Promise<Answer[]>;

interface Waiting {
  queries: Sent[];
  since: number;
  /** How often they were asked for. */
  turns: number;
  tell: (answers: Answer[]) => void;
}

/** Asks how far queries have come: for all panels of a page in one request, about once a second. */
export class Progresses {
  private readonly waiting = new Set<Waiting>();
  private timer?: ReturnType<typeof setInterval>;
  private asking = false;
  private last = 0;

  constructor(private readonly ask: Ask) {}

  /** Tells, for as long as somebody listens, how far these queries have come. */
  watch(queries: Sent[]): Observable<Answer[]> {
    return new Observable((subscriber) => {
      if (queries.length > most) {
        return;
      }
      const waiting: Waiting = {
        queries,
        since: Date.now(),
        turns: 0,
        tell: (answers) => subscriber.next(answers),
      };
      this.waiting.add(waiting);
      this.timer ??= setInterval(() => this.turn(), together);
      return () => this.leave(waiting);
    });
  }

  private leave(waiting: Waiting) {
    this.waiting.delete(waiting);
    if (this.waiting.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
  }

  private async turn() {
    const now = Date.now();
    const patient = [...this.waiting].filter(({ since }) => now - since >= patience);
    const isDue = now - this.last >= patience || patient.some(({ turns }) => turns === 0);
    if (this.asking || patient.length === 0 || !isDue) {
      return;
    }
    this.asking = true;
    this.last = now;
    try {
      await this.askFor(bounded(patient), now);
    } catch {
      // The query itself says what is wrong, if anything is.
    } finally {
      this.asking = false;
    }
  }

  private async askFor(patient: Waiting[], now: number) {
    patient.forEach((each) => (each.turns += 1));
    const answers = await this.ask(
      patient.flatMap(({ queries, since }) => queries.map((query) => ({ ...query, elapsed: now - since })))
    );
    let begin = 0;
    for (const each of patient) {
      const own = answers.slice(begin, (begin += each.queries.length));
      if (this.waiting.has(each)) {
        each.tell(own);
      }
    }
  }
}

/** Those who were asked for least, as many as fit. */
function bounded(patient: Waiting[]): Waiting[] {
  let queries = 0;
  const inTurn = [...patient].sort((a, b) => a.turns - b.turns);
  return inTurn.filter((each) => (queries += each.queries.length) <= most);
}
