import type { ResultJson } from '../backend/frames';
import type { Asked, Row } from './asked';

const HOUR = 3_600_000;
/** Midnight, UTC. */
export const MIDNIGHT = Date.parse('2026-03-02T00:00:00Z');

/** A query sent at one o'clock, for the previous two hours. */
export function asked(query: Asked['query']): Asked {
  return { query, from: MIDNIGHT - HOUR, to: MIDNIGHT + HOUR, intervalMs: HOUR };
}

/** A task that finished in the first minutes after midnight, with the given overrides. */
export function task(id: number, given: Row = {}): Row {
  const created = MIDNIGHT + id * 1_000;
  return {
    ...{ id, state: 'FINISHED', finishStatus: 'SUCCESS', activityLabel: 'invoice-intake', repositoryLabel: 'finance' },
    ...{ machineId: 'runner-01', dateLastModified: created + 90_000, dateCreation: created },
    ...{ dateStartRunning: created + 30_000, processedItems: 5, failedItems: 0, totalItems: 5 },
    ...given,
  };
}

/** A response with one frame of these columns. */
export function answer(
  columns: Array<[name: string, values: unknown[], labels?: Record<string, string>]>,
  warnings: string[] = []
): ResultJson {
  const notices = warnings.map((text) => ({ severity: 'warning', text }));
  const fields = columns.map(([name, , labels]) => ({ name, type: 'other' as const, typeInfo: { frame: '' }, labels }));
  return {
    status: 200,
    frames: [{ schema: { meta: { notices }, fields }, data: { values: columns.map(([, values]) => values) } }],
  };
}

/** A table of these rows, with all their fields. */
export function tableOf(rows: Row[], warnings: string[] = []): ResultJson {
  const names = Object.keys(task(0));
  return answer(
    names.map((name) => [name, rows.map((row) => row[name])]),
    warnings
  );
}
