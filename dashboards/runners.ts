import {
  attention,
  barChart,
  beside,
  byName,
  byQuery,
  byType,
  cell,
  colored,
  counted,
  dashboard,
  dashes,
  descending,
  distinct,
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
  only,
  opens,
  pair,
  type Query,
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
import { timelineOfRunners, tookTask } from './shared';

const uid = 'insights-runners';

const byRunner = (measure: string, more = {}) =>
  tasks({ format: 'numeric', measure, groupBy: ['machineId'], ...more }, hasRunner);

const occupancy =
  'Occupancy is the share of the time in which a runner ran at least one task, computed from the tasks.';

/** One scale for all panels: no color for idle, which can be good or bad, and red for no reserve. */
const scale = colored(
  cell.none,
  [0.005, '#3D5A80'],
  [0.25, '#1F60C4'],
  [0.5, '#5B3DB8'],
  [0.7, '#B3400B'],
  [0.85, cell.red]
);

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

/** Runners at work at the hours of a week. */
const inFourWeeks = (measure: string, more = {}) => tasks({ format: 'numeric', measure, days: 28, ...more }, hasRunner);

/** A number of runners, of all that there are. */
const ofAll = (id: number, title: string, description: string, number: Query, properties: Record<string, unknown>) =>
  stat(id, title, description, [number, ofRunners({ days: 30, columns: ['_id'] })], {
    link: { title: 'Show the hours', url: to(uid, { panel: 28 }) },
    transformations: [distinct('B')],
    overrides: [byQuery('A', properties), byQuery('B', { displayName: 'of all' })],
    options: pair,
  });

/** Tasks that a runner took. */
const ofRunner = theseTasks('machineId|=~|.+'); // Grafana drops a condition without a value.

/** A number made of the occupancies of all runners. */
const occupied = (id: number, title: string, description: string, calc: string) =>
  stat(id, title, `${description} ${occupancy}`, [byRunner('occupancy')], {
    w: 6,
    link: ofRunner,
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
    beside(
      table(
        12,
        'Needs attention',
        'Runners that a person should look at, the most urgent first, and why, compared with their own last 30 days, whatever the time range. High: nothing works; medium: work suffers; low: worth knowing. A silent runner is dead, or without work. One that was idle for as long in earlier weeks is not silent.',
        [tasks({ format: 'attention', groupBy: ['machineId'] }, hasRunner)],
        {
          w: 12,
          transformations: [only('machineId', 'why', 'severity', 'tasks')],
          defaults: { noValue: undefined },
          overrides: attention('machineId', 'machine'),
        }
      ),
      line(
        3,
        tookTask(1, { w: 6, link: { title: 'Show the runners', url: to(uid, { panel: 11 }) } }),
        occupied(5, 'Occupancy', 'Mean of the runners that ran a task in the time range.', 'mean')
      ),
      line(
        3,
        occupied(6, 'Busiest', 'The highest of all runners.', 'max'),
        withTime(
          21,
          'Concurrent',
          'Maximum number of concurrent tasks, on all runners together, within the time range. Ages in this dashboard are as of the time beside it.',
          tasks({ format: 'numeric', measure: 'concurrency' }),
          {
            w: 6,
            link: ofRunner,
            overrides: [byQuery('B', { displayName: 'at most' })],
          }
        )
      )
    ),
    line(8, timelineOfRunners(40, { options: { perPage: 12 } })),
    line(
      10,
      table(
        11,
        'All runners',
        `Runners of the tasks in the time range or in the last 30 days, first the one that has had no task for longest. The longest gap is that between two of its tasks in the last 30 days: a runner that often has such gaps is not silent while it has another one. ${occupancy}`,
        [
          byRunner('sinceLastTask', { days: 30 }),
          byRunner('gapMax', { days: 30 }),
          byRunner('tasks'),
          byRunner('failedTasks'),
          byRunner('successRate'),
          byRunner('occupancy'),
        ],
        {
          // A join appends the runners without a task in the time range, which are those without one for longest.
          transformations: [...join('machineId', 'ABCDEF'), ...descending('sinceLastTask')],
          overrides: [
            dashes,
            byName('machineId', {
              'custom.minWidth': 95,
              ...counted,
              ...opens(thisRunner('${__value.raw:percentencode}')),
            }),
            byName('sinceLastTask', { 'custom.minWidth': 85, decimals: 1 }),
            byName('gapMax', { 'custom.minWidth': 85, decimals: 1 }),
            byName('tasks', { 'custom.minWidth': 70 }),
            byName('failedTasks', { 'custom.minWidth': 75 }),
            byName('successRate', { 'custom.minWidth': 90, decimals: 0, ...rateCell }),
            byName('occupancy', { 'custom.minWidth': 95, decimals: 0, ...filled, ...scale }),
          ],
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
        {
          // Grafana gives the labels that it leaves out the text of no value.
          overrides: [byName('hour', { noValue: '' })],
          options: { xField: 'hour', xTickLabelSpacing: 30 },
        }
      )
    ),
    line(
      3,
      ofAll(
        30,
        'Busiest hour',
        'The hour of the week with the highest mean number of runners that ran a task, in the last 4 weeks, in the dashboard’s time zone.',
        inFourWeeks('busyRunners', {
          groupBy: ['weekday', 'hour'],
          sort: { field: 'busyRunners', order: 'desc' },
          limit: 1,
        }),
        { decimals: 1 }
      ),
      ofAll(
        29,
        'Most at once',
        'The most tasks that ran at the same time in the last 4 weeks. A runner runs one task at a time.',
        inFourWeeks('concurrency'),
        { displayName: 'at most' }
      )
    ),
    line(
      10,
      table(
        28,
        'Busy runners by weekday and hour',
        'Mean number of runners that ran a task, in the last 4 weeks, by weekday and hour in the dashboard’s time zone. The color is their share of all runners that the service lists for the last 30 days; the rest is free.',
        [
          inFourWeeks('busyRunners', { groupBy: ['hour', 'weekday'], sort: { field: 'hour', order: 'asc' } }),
          ofRunners({ days: 30, columns: ['_id'] }),
        ],
        {
          transformations: [...matrix('weekday', 'hour', 'zero', 'A'), ...upTo('B')],
          overrides: [
            dashes,
            byType('number', {
              min: 0,
              decimals: 1,
              'custom.align': 'center',
              'custom.width': 34,
              ...filled,
              ...shares,
            }),
            byName('weekday\\hour', { displayName: 'Weekday', 'custom.width': 105 }),
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
