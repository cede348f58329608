import { getDataSet, measures } from '../../datasets/datasets';
import type { QueryParts } from '../../src/query';
import type { Row } from './asked';
import type { Reduction } from './bounds';

/** What a row gives to a measure; null when it gives nothing. */
export type Gauge = (row: Row) => number | null;

const seconds = (from: Row[string], to: Row[string]) =>
  typeof from === 'number' && typeof to === 'number' ? (to - from) / 1000 : null;

const means: Record<string, Gauge> = {
  successRate: ({ finishStatus }) => (finishStatus === null ? null : Number(finishStatus === 'SUCCESS')),
  duration: (row) => (row.finishStatus === null ? null : seconds(row.dateStartRunning, row.dateLastModified)),
  queueTime: (row) => seconds(row.dateCreation, row.dateStartRunning),
};

const sums: Record<string, Gauge> = {
  tasks: () => 1,
  failedTasks: ({ finishStatus }) => Number(finishStatus === 'FAILED'),
};

/** The measure of a query, once more and in the plainest way: docs/query.md, "Measures". */
export function measureOf({ queryType = 'tasks', measure = '' }: QueryParts): { gauge: Gauge; reduction: Reduction } {
  const set = getDataSet(queryType);
  const described = measures(set).find(({ name }) => name === measure);
  if (!described) {
    throw new Error(`The soak asks for the measure ${measure} of ${queryType}, which datasets.json does not have`);
  }
  const field: Gauge = (row) => row[measure] as number | null;
  if (queryType === 'tasks') {
    const how = measure in means ? 'mean' : 'sum';
    return { gauge: means[measure] ?? sums[measure] ?? field, reduction: { how, empty: described.empty ?? 'null' } };
  }
  const how = set.fields.find(({ name }) => name === measure)?.aggregate ?? 'sum';
  return { gauge: field, reduction: { how, empty: 'null' } };
}
