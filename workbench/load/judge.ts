import { deepStrictEqual } from 'node:assert/strict';

import type { Fault, FaultKind } from '../../simulator/faults';
import type { FrameJson, ResultJson } from '../backend/frames';

/** What an answer can be about: a fault of the service, or a new key. */
export interface Cause {
  name: string;
  fault?: Fault;
  /** Errors about it. */
  says?: RegExp;
  /** Only answers for the settings of this time can be about it. */
  updated?: number;
  /** In milliseconds of `performance.now()`. */
  from: number;
  until: number;
}

/** Lasting faults, each followed by one that is over at the second or third attempt, or merely slow. */
export const faults: Fault[] = [
  { route: 'tasks', kind: 'status', status: 500 },
  { route: 'tasks', kind: 'status', status: 429, retryAfter: 1, times: 2 },
  { route: 'automation', kind: 'drop' },
  { route: 'automation', kind: 'status', status: 502, times: 2 },
  { route: 'tasks', kind: 'truncate' },
  { route: 'tasks', kind: 'drop', times: 2 },
  { route: 'runner', kind: 'html' },
  { route: 'login', kind: 'status', status: 503, times: 1 },
  { route: 'automation', kind: 'status', status: 200, body: '' },
  { route: 'tasks', kind: 'delay', delayMs: 300 },
  { route: 'tasks', kind: 'status', status: 200, body: { ok: true } },
  { route: 'tasks', kind: 'truncate', times: 2 },
];

/** The errors about a fault; one that only takes time causes none. */
const errors: Partial<Record<FaultKind, RegExp>> = {
  status: /Simulated fault|empty|rows|content/,
  drop: /cannot reach|connection/i,
  truncate: /truncated|broke|connection/i,
  html: /Gateway|HTML/i,
};

/** A fault that begins now. */
export function causeOf(fault: Fault): Cause {
  const name = `${fault.kind} ${fault.status ?? ''} on ${fault.route}`;
  return { name, fault, says: errors[fault.kind], from: performance.now(), until: Infinity };
}

/**
 * Whether a cause explains an error. A few failures in a row do so only together with a lasting fault of the route: the
 * plugin tries a request four times, and attempts that one fault has used up are missing for the next.
 */
function explains(causes: Cause[], error: string): boolean {
  const lasts = (route?: string) => causes.some(({ fault }) => fault?.route === route && fault?.times === undefined);
  return causes.some(({ says, fault }) => says?.test(error) && lasts(fault?.route));
}

/**
 * The outcome of an answer.
 *
 * - exact: what a data source answers that has read nothing before
 * - moving: not compared, because the service changed meanwhile, or another answer was being compared
 * - lacking: rows are missing, as it says, because the service changed while it was read
 * - excused: an error about something that was happening at the service
 * - wrong: none of these
 */
export const outcomes = ['exact', 'moving', 'lacking', 'excused', 'wrong'] as const;
export type Outcome = (typeof outcomes)[number];

/** An outcome, and what is wrong. */
export interface Judgement {
  outcome: Outcome;
  complaint?: string;
}

const wrong = (complaint: string): Judgement => ({ outcome: 'wrong', complaint });

const noticesOf = ({ schema }: FrameJson) => schema.meta?.notices ?? [];

/** Differences of times depend in the last digits on where the time of their list begins. */
const rounded = (value: unknown) =>
  typeof value === 'number' && value % 1 !== 0 ? Number(value.toPrecision(9)) : value;

/** What people see of a frame: not what it cost. */
const seen = (frame: FrameJson) => ({
  ...{ name: frame.schema.name, type: frame.schema.meta?.type, notices: noticesOf(frame) },
  ...{ fields: frame.schema.fields, values: frame.data.values.map((column) => column.map(rounded)) },
});

/** Compares an answer with that of a data source that has read nothing before. */
function compare(answer: ResultJson, fresh: ResultJson): Judgement {
  try {
    deepStrictEqual(answer.frames.map(seen), fresh.frames.map(seen));
    return { outcome: 'exact' };
  } catch (error) {
    return wrong((error as Error).message.slice(0, 2_000));
  }
}

/** Judges an answer by its errors and warnings, and, if there is one, by a fresh answer of the same moment. */
export function judge(answer: ResultJson, causes: Cause[], isMoving: boolean, fresh?: ResultJson): Judgement {
  const { error, frames } = answer;
  if (error !== undefined && explains(causes, error)) {
    return { outcome: 'excused' };
  }
  const warnings = frames.flatMap(noticesOf).filter(({ severity }) => severity === 'warning');
  const complaints = error === undefined ? warnings.map(({ text }) => text) : [error];
  if (complaints.length > 0) {
    const isReason = isMoving && complaints.every((text) => text.includes('the data changed'));
    return isReason ? { outcome: 'lacking' } : wrong(`without a reason: ${complaints.join('; ')}`);
  }
  return fresh ? compare(answer, fresh) : { outcome: 'moving' };
}
