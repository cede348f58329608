import {
  attention,
  barChart,
  byName,
  byType,
  cell,
  colored,
  counted,
  dashboard,
  dashes,
  filled,
  fixed,
  hasRunner,
  history,
  isNot,
  join,
  label,
  layout,
  line,
  lines,
  matrix,
  runners as ofRunners,
  nothing,
  only,
  opens,
  rateCell,
  stat,
  table,
  tasks,
  upTo,
  theseTasks,
  thisAutomation,
  thisRunner,
  to,
  whole,
  withTime,
} from './parts';
import { timelineOfRunners } from './shared';

const uid = 'insights-runners';

const byRunner = (measure: string, more = {}) =>
  tasks({ format: 'numeric', measure, groupBy: ['machineId'], ...more }, hasRunner);

const occupancy =
  'Occupancy is the share of the time in which a runner ran at least one task, computed from the tasks.';

/** One scale for all panels: gray-blue is idle, red has no reserve. */
const scale = colored('#3D5A80', [0.25, '#1F60C4'], [0.5, '#5B3DB8'], [0.7, '#B3400B'], [0.85, cell.red]);

/** The same scale for numbers of runners, in percent of all. */
const shares = {
  color: { mode: 'thresholds' },
  thresholds: {
    mode: 'percentage',
    steps: [
      { color: cell.none, value: null },
      { color: '#3D5A80', value: 5 },
      { color: '#1F60C4', value: 25 },
      { color: '#5B3DB8', value: 50 },
      { color: '#B3400B', value: 70 },
      { color: cell.red, value: 85 },
    ],
  },
};

/** A number made of the occupancies of all runners. */
const occupied = (id: number, title: string, description: string, calc: string) =>
  stat(id, title, `${description} ${occupancy}`, [byRunner('occupancy')], {
    link: theseTasks('machineId|!=|'),
    transformations: [{ id: 'reduce', options: { mode: 'seriesToRows', reducers: ['lastNotNull'] } }],
    number: { unit: 'percentunit', ...whole },
    options: { reduceOptions: { calcs: [calc], fields: '', values: false } },
  });

export const runners = dashboard({
  uid,
  title: 'Insights runners',
  description: 'Which runners are busy, idle, or dead, and what ran on them.',
  from: 'now-24h',
  refresh: '1m',
  compare: 'week',
  panels: layout(
    line(
      3,
      stat(
        1,
        'Runners',
        'Runners that the service lists, from the start of the time range until now.',
        [ofRunners({ columns: ['_id'] })],
        {
          link: { title: 'Show the runners', url: to(uid, { panel: 11 }) },
          options: { reduceOptions: { calcs: ['count'], fields: '/.*/', values: false } },
        }
      ),
      occupied(5, 'Occupancy', 'Mean of the runners that ran a task in the time range.', 'mean'),
      occupied(6, 'Busiest', 'The highest of all runners.', 'max'),
      withTime(
        21,
        'Concurrent',
        'Maximum number of concurrent tasks, on all runners together, within the time range. Ages in this dashboard are as of the time beside it.',
        tasks({ format: 'numeric', measure: 'concurrency' }),
        { link: theseTasks('dateStartRunning|!=|') }
      )
    ),
    line(8, timelineOfRunners(40, { options: { perPage: 12 } })),
    line(
      10,
      table(
        11,
        'All runners',
        `Runners of the tasks in the time range or in the last 30 days, first the one that has had no task for longest. ${occupancy}`,
        [
          byRunner('sinceLastTask', { days: 30 }),
          byRunner('tasks'),
          byRunner('failedTasks'),
          byRunner('successRate'),
          byRunner('occupancy'),
        ],
        {
          w: 14,
          transformations: [join('machineId')],
          overrides: [
            dashes,
            byName('machineId', { 'custom.minWidth': 95, ...counted, ...opens(thisRunner()) }),
            byName('sinceLastTask', { 'custom.width': 95, decimals: 0 }),
            byName('tasks', { 'custom.width': 70 }),
            byName('failedTasks', { 'custom.width': 75 }),
            byName('successRate', { 'custom.width': 90, decimals: 0, ...rateCell }),
            byName('occupancy', { 'custom.width': 95, decimals: 0, ...filled, ...scale }),
          ],
        }
      ),
      table(
        12,
        'Needs attention',
        'Runners that a person should look at, the most urgent first, and why, compared with their own last 30 days, whatever the time range. A silent runner is dead, or without work.',
        [tasks({ format: 'attention', groupBy: ['machineId'] }, hasRunner)],
        {
          transformations: [only('machineId', 'why', 'severity', 'tasks')],
          defaults: { noValue: undefined },
          overrides: attention('machineId', 'machine'),
        }
      )
    ),
    line(
      8,
      history(
        23,
        'Occupancy over time',
        `${occupancy} A runner that ran nothing in the whole time range has no line.`,
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
        ],
        {
          interval: '15m',
          maxDataPoints: 48,
          link: thisRunner(label('machineId')),
          defaults: {
            ...nothing,
          },
          number: { ...whole, ...scale },
          options: { perPage: 12 },
        }
      )
    ),
    line(
      8,
      lines(
        24,
        'Concurrent tasks over time',
        'Maximum number of concurrent tasks in each step.',
        [tasks({ format: 'timeseries', measure: 'concurrency' })],
        {
          interval: '15m',
          maxDataPoints: 60,
          defaults: {
            color: fixed('blue'),
            custom: { lineWidth: 2, showPoints: 'never', lineInterpolation: 'stepAfter', fillOpacity: 15 },
          },
        }
      ),
      barChart(
        25,
        'Busiest hours',
        'Tasks that began to run in the time range, by the hour of the day at which they began, in the dashboard’s time zone.',
        [
          tasks(
            {
              format: 'numeric',
              measure: 'tasks',
              groupBy: ['hour'],
              timeField: 'dateStartRunning',
              sort: { field: 'hour', order: 'asc' },
            },
            isNot('dateStartRunning', '')
          ),
        ],
        { options: { xField: 'hour' } }
      )
    ),
    line(
      14,
      table(
        28,
        'Busy runners by weekday and hour',
        'Mean number of runners that ran a task, in the last 4 weeks, by weekday and hour in the dashboard’s time zone. The color is their share of all runners that the service lists for the last 30 days; the rest is free.',
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
          w: 16,
          transformations: [...matrix('hour', 'weekday', 'zero', 'A'), ...upTo('B')],
          defaults: nothing,
          overrides: [
            dashes,
            byType('number', {
              min: 0,
              decimals: 1,
              'custom.align': 'center',
              'custom.width': 75,
              ...filled,
              ...shares,
            }),
            byName('hour\\weekday', { displayName: 'Hour', 'custom.width': 60 }),
          ],
        }
      ),
      table(
        29,
        'Busiest at once',
        'The most tasks that ran at the same time, by weekday and hour, in the last 4 weeks: the first 10. A runner runs one task at a time.',
        [
          tasks(
            {
              format: 'numeric',
              measure: 'concurrency',
              days: 28,
              groupBy: ['weekday', 'hour'],
              sort: { field: 'concurrency', order: 'desc' },
              limit: 10,
            },
            hasRunner
          ),
        ],
        {
          defaults: nothing,
          overrides: [
            dashes,
            byName('weekday', { 'custom.width': 100 }),
            byName('hour', { 'custom.width': 60 }),
            byName('concurrency', { 'custom.width': 110 }),
          ],
        }
      )
    ),
    line(
      11,
      table(
        27,
        'Failures by automation and runner',
        'Failed tasks of those created in the time range, by the runner that took them; – where it took none. Colored from 1, 5, and 20.',
        [
          tasks(
            {
              format: 'numeric',
              measure: 'failedTasks',
              groupBy: ['activityLabel', 'machineId'],
              sort: { field: 'machineId', order: 'asc' },
            },
            hasRunner
          ),
        ],
        {
          transformations: matrix('activityLabel', 'machineId', 'null'),
          defaults: { ...nothing },
          overrides: [
            dashes,
            byType('number', {
              unit: 'locale',
              decimals: 0,
              'custom.align': 'center',
              'custom.width': 96,
              ...filled,
              ...colored(cell.none, [1, cell.orange], [5, '#B3400B'], [20, cell.red]),
            }),
            byName('activityLabel\\machineId', {
              displayName: 'Automation',
              'custom.minWidth': 160,
              ...opens(thisAutomation()),
            }),
          ],
        }
      )
    )
  ),
});
