import { Observable } from 'rxjs';

import { type Progress } from './partial';
import { type InsightsQuery } from './query';

/** The delay before the first request, and the interval between requests, in milliseconds. */
const patience = 1000;
/** How long to wait for further queries, so that one request covers all of them. */
const together = 250;
/**
 * More queries are sent in the next round: the backend accepts 100. A panel with more than that waits for its response.
 */
const most = 100;

/** A query as it was sent, with what the backend needs to find its read. */
export interface Sent extends InsightsQuery {
  from: number;
  to: number;
  intervalMs: number;
  maxDataPoints?: number;
  /** Whether partial rows can be shown. */
  rows: boolean;
}

/** The backend's progress of a query; null if nothing is being read for it. */
export type Answer = Progress | { error: string } | null;
type Ask = (queries: Array<Sent & { elapsed: number }>) => Promise<Answer[]>;

interface Waiting {
  queries: Sent[];
  since: number;
  /** The number of requests for it. */
  turns: number;
  tell: (answers: Answer[]) => void;
}

/** Requests the progress of queries: for all panels of a page in one request, about once a second. */
export class Progresses {
  private readonly waiting = new Set<Waiting>();
  private timer?: ReturnType<typeof setInterval>;
  private asking = false;
  private last = 0;

  constructor(private readonly ask: Ask) {}

  /** Emits the progress of these queries for as long as there is a subscriber. */
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
      // The query itself reports any error.
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

/** The queries that were requested least often, as many as fit. */
function bounded(patient: Waiting[]): Waiting[] {
  let queries = 0;
  const inTurn = [...patient].sort((a, b) => a.turns - b.turns);
  return inTurn.filter((each) => (queries += each.queries.length) <= most);
}
