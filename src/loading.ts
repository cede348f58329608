import { Observable } from 'rxjs';

import { CoreApp, type DataFrame, type DataQueryRequest, type DataQueryResponse, LoadingState } from '@grafana/data';
import { locationService } from '@grafana/runtime';

import { askerOf, drawingOf, partialFrames, showsRows } from './partial';
import { type Answer, type Progresses, type Sent } from './progress';
import { type InsightsQuery } from './query';

/** Packets with the same key replace each other. */
const key = 'insights';

/**
 * Emits packets before a response that takes longer than a second: the progress, with the rows so far. The response
 * replaces them. Unsubscribing ends both.
 */
export function withProgress(
  answers: Observable<DataQueryResponse>,
  request: DataQueryRequest<InsightsQuery>,
  interpolate: (query: InsightsQuery) => InsightsQuery,
  progresses: Progresses
): Observable<DataQueryResponse> {
  const queries = sentQueries(request, interpolate);
  if (queries.length === 0) {
    return answers;
  }
  return new Observable((subscriber) => {
    const packets = new Packets(request, queries, (packet) => subscriber.next(packet));
    const stopAsking = packets.showsAnswer ? () => undefined : ask(progresses, queries, packets);
    const answering = answers.subscribe({
      next: (answer) => {
        stopAsking();
        packets.end(answer);
      },
      error: (error) => subscriber.error(error),
      complete: () => subscriber.complete(),
    });
    return () => {
      stopAsking();
      answering.unsubscribe();
    };
  });
}

function ask(progresses: Progresses, queries: Sent[], packets: Packets): () => void {
  const asking = progresses.watch(queries).subscribe((progress) => packets.show(progress));
  const stopListening = locationService.getHistory().listen(() => packets.hideFromSnapshot());
  return () => {
    asking.unsubscribe();
    stopListening();
  };
}

function sentQueries(
  request: DataQueryRequest<InsightsQuery>,
  interpolate: (query: InsightsQuery) => InsightsQuery
): Sent[] {
  return request.targets.flatMap((query) => {
    const drawing = drawingOf(request, query);
    if (!drawing || query.hide) {
      return [];
    }
    const { range, intervalMs, maxDataPoints } = request;
    const rows = showsRows(request, drawing);
    return [
      { ...interpolate(query), from: range.from.valueOf(), to: range.to.valueOf(), intervalMs, maxDataPoints, rows },
    ];
  });
}

/** The responses on the screen, by requester: a refresh leaves one there until the new one arrives. */
class Shown {
  private readonly byPanel = new WeakMap<object, string>();
  private readonly byPane = new Map<string, string>();

  isShown(request: DataQueryRequest, signature: string): boolean {
    return this.of(request)?.get() === signature;
  }

  set(request: DataQueryRequest, signature: string) {
    this.of(request)?.set(signature);
  }

  /** Panels are removed with their scene objects. Explore has none, but one ID for each of its panes. */
  private of(request: DataQueryRequest) {
    const panel = askerOf(request);
    const { app, requestId } = request;
    if (panel) {
      return { get: () => this.byPanel.get(panel), set: (signature: string) => this.byPanel.set(panel, signature) };
    }
    return app === CoreApp.Explore
      ? { get: () => this.byPane.get(requestId), set: (signature: string) => this.byPane.set(requestId, signature) }
      : undefined;
  }
}

const onScreen = new Shown();

/** The packets of one request. */
class Packets {
  private began = false;
  private readonly signature: string;

  constructor(
    private readonly request: DataQueryRequest<InsightsQuery>,
    private readonly queries: Sent[],
    private readonly next: (packet: DataQueryResponse) => void
  ) {
    this.signature = JSON.stringify([queries.map(({ from, to, ...query }) => query), request.range.raw]);
  }

  /** Whether a response to exactly these queries is on the screen. */
  get showsAnswer(): boolean {
    return onScreen.isShown(this.request, this.signature);
  }

  show(answers: Answer[]) {
    const data = this.queries.flatMap((query, index) => {
      const answer = answers[index];
      const drawing = drawingOf(this.request, query);
      return answer && !('error' in answer) && drawing ? partialFrames(query, answer, drawing, this.request.range) : [];
    });
    if (data.length > 0 && !sharesSnapshot()) {
      this.emit(data);
    }
  }

  /** A snapshot contains what is on the screen: while one can be taken, that must be nothing rather than a part. */
  hideFromSnapshot() {
    if (this.began && sharesSnapshot()) {
      this.emit([]);
    }
  }

  end(answer: DataQueryResponse) {
    const failed = answer.errors?.length || answer.state === LoadingState.Error;
    onScreen.set(this.request, failed ? '' : this.signature);
    this.next({ ...answer, key });
  }

  private emit(data: DataFrame[]) {
    if (!this.began || data.length === 0) {
      // A dashboard's panel shows nothing before its first packet that is not Loading, and keeps its content for one
      // without data. Otherwise, Loading keeps the bar and Cancel on the panel, and prevents downloading partial data.
      this.next({ data, key, state: LoadingState.Streaming });
    }
    this.began = true;
    onScreen.set(this.request, '');
    this.next({ data, key, state: LoadingState.Loading });
  }
}

function sharesSnapshot(): boolean {
  return new URLSearchParams(locationService.getLocation().search).get('shareView') === 'snapshot';
}
