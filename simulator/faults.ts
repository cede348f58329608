import type { Route } from './recorder';

/** What can go wrong; simulator/README.md says what each does. */
export const faultKinds = ['status', 'delay', 'html', 'truncate', 'wrong-types', 'drop', 'empty', 'shape'] as const;

export type FaultKind = (typeof faultKinds)[number];

export const faultRoutes = ['login', 'tasks', 'automation', 'runner', '*'] as const;

/** One fault that a test has set. */
export interface Fault {
  route: (typeof faultRoutes)[number];
  kind: FaultKind;
  /** HTTP status of kind status (500) and html (200). */
  status?: number;
  /** Value of a Retry-After header: seconds, or an HTTP date. */
  retryAfter?: number | string;
  /** Milliseconds of kind delay (1000). */
  delayMs?: number;
  /** Body of kind status and html: text as it is, anything else as JSON. */
  body?: unknown;
  /** Requests that get it; absent: all until the faults are cleared. */
  times?: number;
  /** Requests that pass before it begins (0). */
  afterRequests?: number;
}

/** The faults that are set. A request gets the first that fits it. */
export class Faults {
  private faults: Fault[] = [];

  list(): Fault[] {
    return this.faults;
  }

  set(fault: Fault) {
    this.faults.push({ ...fault });
  }

  clear() {
    this.faults = [];
  }

  /** The fault for a request, counted as played; undefined when it is served as usual. */
  take(route: Route): Fault | undefined {
    const fitting = this.faults.filter((fault) => fault.route === '*' || fault.route === route);
    const due = fitting.find((fault) => !fault.afterRequests);
    for (const fault of fitting) {
      if (fault.afterRequests) {
        fault.afterRequests--;
      }
    }
    if (due?.times !== undefined && --due.times === 0) {
      this.faults = this.faults.filter((fault) => fault !== due);
    }
    return due;
  }
}
