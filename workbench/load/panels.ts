import { dataSets, getDataSet } from '../../schema/datasets';
import { Random } from '../../simulator/random';
import type { Filter, QueryParts } from '../../src/query/query';
import { windows } from './service';

const HOUR = 3_600_000;

/** A query as a panel or a rule saved it, with the length of its time range and the width of its buckets. */
export interface Panel {
  query: QueryParts;
  hours: number;
  intervalMs: number;
}

/** A dashboard, or a rule, which is a dashboard with one panel. */
export interface Dashboard {
  panels: Panel[];
  everyMs: number;
  isRule: boolean;
}

/** Measures of the rows alone: the others go on while an answer is compared. */
const measures = getDataSet('tasks').measures!.filter(({ time }) => time === undefined);

const groupings = [[], ['activityLabel'], ['state'], ['repositoryLabel', 'finishStatus'], ['machineId']];
const filters: Filter[][] = [
  [],
  [],
  [{ key: 'state', operator: '=', value: 'FINISHED' }],
  [{ key: 'finishStatus', operator: '=|', values: ['FAILED', 'PARTIALLY_COMPLETED'] }],
  [{ key: 'state', operator: '!=|', values: ['FINISHED', 'CANCELED'] }],
  [
    { key: 'repositoryLabel', operator: '=~', value: 'fin.*|legal' },
    { key: 'totalItems', operator: '>', value: '20' },
  ],
];

function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random.unit() * values.length)];
}

type Draw = (random: Random) => QueryParts;

const rows: Draw = (random) => ({
  queryType: 'tasks',
  days: pick(random, [undefined, ...windows]),
  filters: pick(random, filters),
  search: pick(random, [undefined, undefined, 'Invoice']),
  sort: pick(random, [undefined, undefined, { field: 'dateLastModified', order: 'desc' }]),
  limit: pick(random, [undefined, 10, 1_000]),
});

const number: Draw = (random) => ({
  queryType: 'tasks',
  format: 'numeric',
  days: pick(random, [undefined, ...windows]),
  measure: pick(random, measures).name,
  groupBy: pick(random, groupings),
  filters: pick(random, filters),
});

// A line shows its time range.
const line: Draw = (random) => ({ ...number(random), format: 'timeseries', days: undefined });

const totals: Draw = (random) => {
  const set = pick(random, dataSets.slice(1));
  const common = { queryType: set.name, days: pick(random, windows), search: pick(random, [undefined, '-0']) };
  const summed = set.fields.filter(({ aggregate }) => aggregate).map(({ name }) => name);
  return random.chance(0.5)
    ? { ...common, sort: pick(random, [undefined, { field: pick(random, summed), order: 'desc' }]) }
    : { ...common, format: 'numeric', measure: pick(random, summed), groupBy: pick(random, [[], [set.key]]) };
};

function panel(random: Random, draw: Draw): Panel {
  return {
    query: draw(random),
    hours: pick(random, [3, 24, 48]),
    intervalMs: pick(random, [HOUR / 2, HOUR, 6 * HOUR]),
  };
}

/** Dashboards of four panels, and rules, which ask for numbers. */
export function dashboards(seed: number, boards: number, rules: number): Dashboard[] {
  return Array.from({ length: boards + rules }, (_, index) => {
    const random = new Random(seed, 'dashboard', index);
    const isRule = index >= boards;
    const draws = isRule ? [pick(random, [number, line])] : [rows, number, line, totals];
    return { isRule, everyMs: random.between(2_000, 6_000), panels: draws.map((draw) => panel(random, draw)) };
  });
}
