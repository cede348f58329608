import {
  byPattern,
  byQuery,
  colored,
  dashedLine,
  failedOf,
  fixed,
  is,
  isNot,
  label,
  lines,
  type Panel,
  type Query,
  stacked,
  tasks,
  theseTasks,
  thisRunner,
  timeline,
  withDifference,
  withGrowth,
  withPoints,
} from './parts';

// Panels that several dashboards have.

const number = (measure: string): Query => tasks({ format: 'numeric', measure });

export const tasksCreated = (id: number) =>
  withGrowth(
    id,
    'Tasks',
    'Tasks created in the time range, and the change from the time that Compare with selects.',
    number('tasks'),
    { link: theseTasks(), value: { displayName: 'created' } }
  );

export const successRate = (id: number, shape: { w?: number } = {}) =>
  withPoints(
    id,
    'Rate',
    'SUCCESS among finished and timed-out tasks of the time range, and percentage points from Compare with: at least 5 more green, 5 less red.',
    number('successRate'),
    {
      ...shape,
      link: theseTasks('outcome|=~|.+'), // Grafana drops a condition without a value.
      value: { displayName: 'success', decimals: 1 },
      change: colored('red', [-4.95, 'text'], [4.95, 'semi-dark-green']),
    }
  );

export const failedTasks = (id: number, shape: { w?: number } = {}) =>
  withDifference(
    id,
    'Failed',
    'Failed and timed-out tasks of the time range, and the difference from Compare with: at least 5 fewer green, 5 more red.',
    number('failedTasks'),
    {
      ...shape,
      link: failedOf(),
      value: { displayName: 'failed' },
      change: colored('semi-dark-green', [-4, 'text'], [5, 'red']),
    }
  );

export const timelineOfRunners = (
  id: number,
  { limit, ...shape }: { w?: number; limit?: number; options: Record<string, unknown> }
): Panel =>
  timeline(
    id,
    'Timeline of runners',
    'What ran when on the runners of the last 30 days, a color for each automation. A second row: tasks at the same time.',
    [tasks({ format: 'timeline', days: 30, ...(limit && { limit }) })],
    {
      ...shape,
      link: thisRunner(label('machineId')),
      overrides: [byPattern('/.*/', { noValue: null })],
    }
  );

export const tasksByStatus = (id: number): Panel =>
  lines(
    id,
    'Tasks by status',
    'Tasks by creation time: by finish status, or by state before they finish. Dashed: all tasks at the time that Compare with selects.',
    [
      tasks({ format: 'timeseries', measure: 'tasks', groupBy: ['finishStatus'] }, isNot('finishStatus', '')),
      tasks({ format: 'timeseries', measure: 'tasks', groupBy: ['state'] }, is('finishStatus', '')),
      tasks({ format: 'timeseries', measure: 'tasks', compare: '${compare}' }),
    ],
    {
      interval: '5m',
      maxDataPoints: 30,
      defaults: stacked,
      overrides: [
        byQuery('C', { 'custom.hideFrom': { viz: true, legend: true, tooltip: false } }),
        earlier({ 'custom.hideFrom': { viz: false, legend: false, tooltip: false }, ...dashedLine }),
      ],
      options: { tooltip: { mode: 'multi', sort: 'none', hideZeros: true } },
    }
  );

/** The line of the time that Compare with selects. Its name follows the data source's setting Names. */
export function earlier(properties: object) {
  return byPattern('/(previous|anterior)[^()]*\\)$/', {
    displayName: '${compare:text}',
    color: fixed('#00A3A3'),
    ...properties,
  });
}
