import type { FrameJson, ResultJson } from '../backend/frames';
import type { Asked, Row } from './asked';
import { measuredFault } from './measured';
import { tableFault } from './table';

/**
 * The outcome of a response.
 *
 * - exact: equal to the count at one moment
 * - mixed: its pages are from several moments; every row is from one of them, and none is lost
 * - incomplete: it says that rows are missing, while the data moved; what it has is correct
 * - excused: an error or a notice about something that was happening at the service
 * - wrong: none of these
 */
export type Outcome = 'exact' | 'mixed' | 'incomplete' | 'excused' | 'wrong';

/** An outcome; `complaint` says what is wrong, and what would be correct. */
export interface Judgement {
  outcome: Outcome;
  complaint?: string;
}

/** What was happening at the service during a response. */
export interface Circumstances {
  /** Patterns of errors about it. */
  errors: RegExp[];
  /** Records had fields of wrong types: a response with a warning can contain anything. */
  areRowsSpoiled: boolean;
}

/**
 * Compares a response with what the service listed.
 *
 * @param moments what it listed at each moment that the response can be from: a single one while the world stood still
 */
export function judge(asked: Asked, answer: ResultJson, moments: Array<() => Row[]>, during: Circumstances): Judgement {
  if (answer.error !== undefined) {
    const isTold = during.errors.some((pattern) => pattern.test(answer.error ?? ''));
    return isTold ? { outcome: 'excused' } : wrong(`error without a reason: ${answer.error}`);
  }
  if (answer.frames.length !== 1) {
    return wrong(`${answer.frames.length} frames`);
  }
  const [frame] = answer.frames;
  const warnings = warningsOf(frame);
  if (warnings.length > 0 && during.areRowsSpoiled) {
    return { outcome: 'excused' };
  }
  if (moments.some((rows) => faultOf(asked, frame, [rows()], false) === undefined)) {
    return warnings.length > 0 && moments.length === 1
      ? wrong(`a warning without a reason: ${warnings.join('; ')}`)
      : { outcome: 'exact' };
  }
  // Nothing can be missing from a frozen world.
  const isIncomplete = warnings.length > 0 && moments.length > 1;
  const fault = faultOf(
    asked,
    frame,
    moments.map((rows) => rows()),
    isIncomplete
  );
  if (fault !== undefined) {
    return wrong([fault, ...warnings].join('; it warns: '));
  }
  return { outcome: isIncomplete ? 'incomplete' : 'mixed' };
}

function wrong(complaint: string): Judgement {
  return { outcome: 'wrong', complaint };
}

function faultOf(asked: Asked, frame: FrameJson, moments: Row[][], incomplete: boolean): string | undefined {
  const compare = (asked.query.format ?? 'table') === 'table' ? tableFault : measuredFault;
  return compare(asked, frame, moments, incomplete);
}

function warningsOf({ schema }: FrameJson): string[] {
  const notices = (schema.meta?.notices ?? []) as Array<{ severity?: string; text: string }>;
  return notices.filter(({ severity }) => severity === 'warning').map(({ text }) => text);
}
