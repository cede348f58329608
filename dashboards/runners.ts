import { orNone } from './automations';
import {
  attention,
  byName,
  byPattern,
  byQuery,
  byType,
  cell,
  colored,
  counted,
  dashboard,
  dashes,
  fields,
  filled,
  fixed,
  hasRunner,
  history,
  is,
  label,
  lasting,
  layout,
  line,
  lines,
  matrix,
  noAnswer,
  runners as ofRunners,
  only,
  opens,
  type Query,
  rateCell,
  sideBySide,
  table,
  tasks,
  upTo,
  thisRunner,
  whole,
} from './parts';
import { timelineOfRunners } from './shared';

const ofEach = (query: Query) => tasks({ format: 'numeric', groupBy: ['machineId'], ...query }, hasRunner);

/** One scale for all panels: no color for idle, which can be good or bad, blue for busy, and orange for no reserve. */
const scale = colored(cell.none, [0.005, '#1B3A5C'], [0.25, '#1F60C4'], [0.5, '#9CC4FF'], [0.85, '#B3400B']);

/** The same scale for numbers of runners, in percent of all. */
const steps = scale.thresholds.steps.map(({ value, color }) => ({ color, value: value && 100 * Number(value) }));
const shares = { min: 0, ...scale, thresholds: { mode: 'percentage', steps } };

/** The plugin makes the names of weekdays, in English in every language: rules and filters refer to them. */
const weekdays = fields('Mon Tue Wed Thu Fri Sat Sun').map((day) => byPattern(`/^${day}/`, { displayName: day }));

export const runners = dashboard({
  uid: 'insights-runners',
  title: 'Insights runners',
  description: 'Which runners are busy, idle, or dead, and what ran on them.',
  from: 'now-24h',
  refresh: '1m',
  compare: 'week',
  panels: layout(
    line(
      5,
      table(
        12,
        'Needs attention',
        'Runners to look at, the most urgent first, and why, compared with their own last 30 days. A silent runner is dead, or without work.',
        [tasks({ format: 'attention', groupBy: ['machineId'] }, hasRunner)],
        {
          transformations: [only('machineId', 'why', 'severity', 'tasks')],
          defaults: noAnswer,
          overrides: attention('machineId', 'machine'),
        }
      )
    ),
    line(
      12,
      table(
        11,
        'All runners, last 30 days',
        'The longest without a task first. Success rate: red below 70 %, orange below 90 %. Occupancy: as in the legend below.',
        [
          ofEach({
            measures: fields('sinceLastTask gapMax tasks failedTasks successRate occupancy'),
            days: 30,
            sort: { field: 'sinceLastTask', order: 'desc' },
          }),
          tasks({ columns: ['machineId'], days: 30, limit: 1 }, hasRunner),
        ],
        {
          ...orNone,
          overrides: [
            ...orNone.overrides,
            byName('machineId', { 'custom.minWidth': 95, ...counted, ...opens(thisRunner()) }),
            byName('sinceLastTask', { 'custom.minWidth': 105, ...lasting }),
            byName('gapMax', { 'custom.minWidth': 105, ...lasting }),
            byName('tasks', { 'custom.minWidth': 70 }),
            byName('failedTasks', { 'custom.minWidth': 75 }),
            byName('successRate', { 'custom.minWidth': 90, decimals: 0, ...rateCell }),
            byName('occupancy', { 'custom.minWidth': 95, decimals: 0, ...filled, ...scale }),
          ],
        }
      )
    ),
    line(9, timelineOfRunners(40, { options: { perPage: 12 } })),
    sideBySide(
      [
        line(
          13,
          history(
            23,
            'Occupancy over time',
            'Share of each step in which the runner had a task.',
            [
              tasks(
                {
                  format: 'timeseries',
                  measure: 'occupancy',
                  groupBy: ['machineId'],
                  sort: { field: 'machineId', order: 'asc' },
                },
                hasRunner
              ),
              // What has no runner occupies none: a row that is there, and empty, without any runner, too.
              tasks({ format: 'timeseries', measure: 'occupancy' }, is('machineId', '')),
            ],
            {
              w: 12,
              interval: '15m',
              maxDataPoints: 48,
              link: thisRunner(label('machineId')),
              number: { ...whole, ...scale },
              overrides: [byQuery('B', { displayName: ' ', links: [] })],
              options: { perPage: 13 },
            }
          )
        ),
        line(
          13,
          lines(
            24,
            'Concurrent tasks over time',
            'Maximum number of concurrent tasks in each step.',
            [tasks({ format: 'timeseries', measure: 'concurrency' })],
            {
              w: 12,
              interval: '15m',
              maxDataPoints: 60,
              defaults: {
                color: fixed('blue'),
                custom: { lineWidth: 2, showPoints: 'never', lineInterpolation: 'stepAfter', fillOpacity: 15 },
              },
            }
          )
        ),
      ],
      [
        line(
          26,
          table(
            28,
            'Busy runners by weekday and hour',
            'Mean runners with a task, last 4 weeks, in the dashboard’s time zone. The color is their share of all; orange from 85 %.',
            [
              tasks(
                {
                  format: 'numeric',
                  measure: 'busyRunners',
                  days: 28,
                  groupBy: ['hour', 'weekday'],
                  sort: { field: 'hour', order: 'asc' },
                },
                hasRunner
              ),
              ofRunners({ days: 30, columns: ['_id'] }),
            ],
            {
              w: 12,
              defaults: noAnswer,
              transformations: [...matrix('hour', 'weekday', 'zero', 'A'), ...upTo('B')],
              overrides: [
                dashes,
                byType('number', {
                  decimals: 1,
                  'custom.align': 'center',
                  'custom.minWidth': 50,
                  ...filled,
                  ...shares,
                }),
                byName('hour\\weekday', { displayName: 'Hour', 'custom.width': 60 }),
                ...weekdays,
              ],
            }
          )
        ),
      ]
    )
  ),
});
