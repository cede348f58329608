import { Random } from '../../simulator/random';
import type { Filter, QueryParts } from '../../src/query';
import type { Panel } from './asked';

const HOUR = 3_600_000;

/** A dashboard: its panels, each with one or two queries, and its refresh interval. */
export interface Dashboard {
  panels: Panel[][];
  everyMs: number;
}

type Draw = (random: Random) => QueryParts;

const groupings = [
  [],
  ['activityLabel'],
  ['repositoryLabel'],
  ['state'],
  ['repositoryLabel', 'finishStatus'],
  ['machineId'],
];
const filters: Filter[][] = [
  [],
  [{ key: 'state', operator: '=', value: 'FINISHED' }],
  [{ key: 'finishStatus', operator: '=|', values: ['FAILED', 'PARTIALLY_COMPLETED'] }],
  [{ key: 'state', operator: '!=|', values: ['FINISHED', 'CANCELED'] }],
  [{ key: 'repositoryLabel', operator: '=~', value: 'fin.*|legal' }],
  [
    { key: 'activityLabel', operator: '!~', value: '.*-2' },
    { key: 'totalItems', operator: '>', value: '20' },
  ],
  [{ key: 'machineId', operator: '=', value: '' }],
];
const numbers = ['tasks', 'failedTasks', 'successRate', 'totalItems', 'failedItems', 'duration', 'queueTime'];

function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random.unit() * values.length)];
}

const table: Draw = (random) => ({
  queryType: 'tasks',
  days: pick(random, [undefined, 1, 2, 7]),
  filters: pick(random, filters),
  search: pick(random, [undefined, undefined, 'Invoice', 'stock-sync']),
  sort: pick(random, [undefined, { field: 'dateLastModified', order: 'desc' }, { field: 'totalItems', order: 'asc' }]),
  columns: pick(random, [
    undefined,
    ['id', 'state', 'activityLabel', 'dateCreation', 'dateLastModified', 'totalItems'],
  ]),
});

// Without filter and sort, a limit reads only the pages that it needs.
const newest: Draw = (random) => ({ queryType: 'tasks', days: pick(random, [1, 7]), limit: pick(random, [10, 60]) });

const number: Draw = (random) => ({
  queryType: 'tasks',
  format: 'numeric',
  shape: 'long',
  days: pick(random, [undefined, 1, 2, 7]),
  measure: pick(random, numbers),
  groupBy: pick(random, groupings),
  filters: pick(random, filters),
});

const line: Draw = (random) => ({
  queryType: 'tasks',
  format: 'timeseries',
  days: pick(random, [undefined, undefined, 2]),
  measure: pick(random, numbers),
  groupBy: pick(random, groupings),
  filters: pick(random, filters),
  timeField: pick(random, [undefined, 'dateStartRunning', 'dateLastModified']),
});

const automations: Draw = (random) => ({
  queryType: 'automations',
  days: pick(random, [1, 7, 30]),
  search: pick(random, [undefined, undefined, 'folha', 'invoice-intake-2']),
  sort: pick(random, [undefined, { field: 'taskCount', order: 'desc' }, { field: 'savings', order: 'desc' }]),
  limit: pick(random, [undefined, 10]),
  filters: pick(random, [[], [{ key: 'successRate', operator: '<', value: '0.95' }]]),
});

const automationNumber: Draw = (random) => ({
  queryType: 'automations',
  format: 'numeric',
  shape: 'long',
  days: pick(random, [1, 7]),
  measure: pick(random, ['taskCount', 'sumItems', 'successRate', 'savings']),
  groupBy: pick(random, [['label'], ['repositoryLabel'], []]),
});

const runners: Draw = (random) => ({
  queryType: 'runners',
  days: pick(random, [1, 7]),
  search: pick(random, [undefined, 'runner-0']),
  sort: pick(random, [undefined, { field: 'items', order: 'asc' }]),
});

const runnerNumber: Draw = (random) => ({
  queryType: 'runners',
  format: 'numeric',
  shape: 'long',
  days: pick(random, [1, 7]),
  measure: pick(random, ['tasks', 'itemsErrorCount', 'utilizationRate']),
  groupBy: pick(random, [['_id'], []]),
});

const kinds: Draw[] = [table, newest, number, line, automations, automationNumber, runners, runnerNumber];

function panel(random: Random, draw: Draw): Panel {
  return {
    query: draw(random),
    hours: pick(random, [3, 6, 24, 48]),
    intervalMs: pick(random, [HOUR / 2, HOUR, 6 * HOUR]),
  };
}

/** Dashboards of four or five panels, which together include every kind of panel. */
export function dashboards(seed: number, count: number): Dashboard[] {
  return Array.from({ length: count }, (_, index) => {
    const random = new Random(seed, 'dashboard', index);
    const panels = Array.from({ length: 4 + (index % 2) }, (_, position) =>
      // Every fourth panel combines two queries.
      Array.from({ length: position === 3 ? 2 : 1 }, () => panel(random, kinds[(index + position * 3) % kinds.length]))
    );
    return { panels, everyMs: random.between(3_000, 8_000) };
  });
}

/** The queries of alert rules: a number per instance, or a line that the rule itself reduces. */
export function rules(seed: number, count: number): Panel[] {
  return Array.from({ length: count }, (_, index) =>
    panel(new Random(seed, 'rule', index), [number, line, automationNumber, runnerNumber][index % 4])
  );
}
