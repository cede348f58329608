import {
  arrows,
  ascending,
  attention,
  beside,
  byName,
  byQuery,
  cell,
  colored,
  copy,
  dashboard,
  dashes,
  distinct,
  filled,
  fixed,
  hasRunner,
  inLastHour,
  is,
  isNot,
  lastValue,
  join,
  layout,
  line,
  lines,
  missing,
  only,
  opens,
  pair,
  queued,
  rateCell,
  redFrom,
  row,
  stat,
  table,
  tasks,
  tasksOf,
  theseTasks,
  theseTasksOf,
  timedOut,
  to,
  upOrDown,
  whole,
  withTime,
  workToDo,
} from './parts';
import {
  failedItems,
  failedTasks,
  successRate,
  tasksByStatus,
  tasksCreated,
  timelineOfRunners,
  tookTask,
} from './shared';

const theRunners = { title: 'Show the runners', url: to('insights-runners') };

export const today = dashboard({
  uid: 'insights-operations',
  title: 'Insights today',
  description:
    'What a morning asks: how long the queue is, what runs, what needs attention and why, what ran when, and whether it is as usual.',
  from: 'now-24h',
  refresh: '1m',
  compare: 'week',
  panels: layout(
    beside(
      table(
        40,
        'Needs attention',
        'Automations that a person should look at, the most urgent first, and why, compared with their own last 30 days. Usual is what 95 % of the tasks don’t exceed, without earlier incidents. The runner is an example.',
        [tasks({ format: 'attention' })],
        {
          w: 14,
          transformations: [only('activityLabel', 'why', 'severity', 'machineId', 'tasks')],
          defaults: { noValue: undefined },
          overrides: attention('activityLabel', 'automation'),
        }
      ),
      line(
        5,
        table(
          46,
          'Runners, the most urgent first',
          'Runners that a person should look at, and why, and then the others, the longest without a task first, of the last 30 days. A silent runner is dead, or without work, unless it was idle for as long before.',
          [
            tasks({ format: 'attention', groupBy: ['machineId'] }, hasRunner),
            tasks(
              {
                format: 'numeric',
                measure: 'sinceLastTask',
                groupBy: ['machineId'],
                days: 30,
                sort: { field: 'sinceLastTask', order: 'desc' },
              },
              hasRunner
            ),
          ],
          {
            w: 10,
            transformations: [
              copy('idle', 'sinceLastTask', 'B'),
              only('machineId', 'why', 'severity', 'tasks', 'idle'),
              ...join('machineId', 'AB'),
            ],
            overrides: [
              dashes,
              ...attention('machineId', 'machine'),
              byName('severity', colored(cell.none, [1, 'yellow'], [2, 'orange'], [3, 'red'])),
              byName('idle', { displayName: 'Last task', 'custom.width': 85, unit: 's', decimals: 1 }),
            ],
          }
        )
      ),
      line(
        3,
        stat(
          6,
          'Longest wait',
          'How long the oldest queued task, in state START, has waited, of those created in the last 30 days. Red after 30 minutes. A task has no runner before it starts, so Runner does not apply.',
          // A number of no rows has no field to say so, which looks like a missing answer. A table has.
          [
            queued(
              { days: 30, columns: ['queueTime'], sort: { field: 'queueTime', order: 'desc' }, limit: 1 },
              is('state', 'START')
            ),
          ],
          {
            w: 5,
            link: theseTasksOf(30, 'state|=|START'),
            number: {
              ...whole,
              ...colored('semi-dark-green', [1800, 'red']),
              ...missing('None queued', 'semi-dark-green'),
            },
            options: { text: { valueSize: 24 } },
          }
        ),
        withTime(
          2,
          'Running now',
          'Tasks in state RUNNING now, of those created in the last 30 days, whatever the time range. Ages in this dashboard are as of the time beside it.',
          tasks({ format: 'numeric', measure: 'tasks', days: 30 }, is('state', 'RUNNING')),
          {
            w: 5,
            link: theseTasksOf(30, 'state|=|RUNNING'),
            defaults: { color: fixed('blue') },
            overrides: [byQuery('B', { displayName: 'running' })],
          }
        )
      ),
      line(
        3,
        tookTask(44, { w: 5, link: theRunners }),
        stat(
          48,
          'Forecast',
          'When the work that waits is done, by usual durations, if nothing else arrives and the runners that took a task in the last hour go on. A notice says what is left out. Unknown if nothing else waits.',
          [
            // A number of a group has a field where it is not known, too.
            queued({ format: 'numeric', measure: 'queueClearedAt', groupBy: ['dataSource'] }),
            queued({ days: 30, columns: ['machineId'] }, ...inLastHour),
          ],
          {
            w: 5,
            link: workToDo,
            transformations: [distinct('B')],
            overrides: [
              byQuery('A', { displayName: 'done about', unit: 'time:D MMM HH:mm', noValue: 'unknown' }),
              byQuery('B', { displayName: 'with runners', noValue: '0', links: [theRunners] }),
            ],
            options: { ...pair, text: { ...pair.text, valueSize: 16 } }, // There may be work for days.
          }
        )
      )
    ),
    line(
      3,
      failedTasks(4),
      successRate(5),
      stat(
        21,
        'Queued',
        'Most tasks that waited at once in the last minute, and how many more than an hour before. Red: at least 5 more than the most of a day in the time that Compare with selects. Runner does not apply.',
        [
          // A task may have waited for longer than the time range.
          queued({ format: 'timeseries', measure: 'queued', days: 30 }),
          queued({ format: 'timeseries', measure: 'queued', compare: 'hour' }),
          queued({ format: 'numeric', measure: 'queued', compare: '${compare}' }),
        ],
        {
          link: theseTasksOf(30, 'state|=|START'),
          // A time range that is long has no minutes, and one that ends later ends with what is not known yet.
          timeFrom: '24h',
          hideTimeOverride: true,
          interval: '1m',
          maxDataPoints: 1440,
          transformations: [...redFrom('C', 'queued', 5), ...upOrDown('B')],
          number: { displayName: 'last minute', color: { mode: 'thresholds' } },
          overrides: [byName('difference', { displayName: '± in the last hour', ...arrows })],
          options: { ...pair, reduceOptions: { ...lastValue, fields: '/^(?!time$)/i' } },
        }
      ),
      stat(
        47,
        'Work left',
        'Usual durations of the queued tasks, which 95 % don’t exceed, and what running ones have left by theirs, added: the time that one runner would take. A task has no runner before it starts, so Runner does not apply.',
        [queued({ format: 'numeric', measure: 'queuedWork' })],
        {
          link: workToDo,
          number: {
            unit: 'clocks',
            decimals: 1,
            mappings: [{ type: 'value', options: { 0: { text: '0', index: 0 } } }],
          },
          options: { text: { valueSize: 20 } },
        }
      )
    ),
    line(
      7,
      table(
        49,
        'Today’s work',
        'What waits, and what is due today or still late, by automation. Due, State, and Done at are those of the deadlines in the settings. Work is the usual durations of the queued tasks. Runner does not apply.',
        [
          queued({ format: 'deadlines' }),
          queued(
            {
              format: 'numeric',
              measures: ['queued', 'queuedWork'],
              groupBy: ['activityLabel'],
              days: 30,
              sort: { field: 'queuedWork', order: 'desc' },
            },
            is('state', 'START')
          ),
        ],
        {
          w: 14,
          interval: '1m',
          maxDataPoints: 1440,
          transformations: [
            only('activityLabel', 'due', 'state', 'doneAt', 'queued', 'queuedWork'),
            ...join('activityLabel', 'AB'),
            ...ascending('due'),
          ],
          defaults: { noValue: 'Nothing waits or is due, or no answer' },
          overrides: [
            dashes,
            byName('activityLabel', { 'custom.minWidth': 135, ...opens(tasksOf('activityLabel')) }),
            byName('due', { 'custom.width': 86, unit: 'time:ddd HH:mm' }),
            byName('state', { 'custom.width': 90, ...filled, ...colored(cell.none) }), // Without a deadline, green would say that it is kept.
            byName('doneAt', { 'custom.width': 78, unit: 'time:HH:mm' }),
            byName('queued', { 'custom.width': 65 }),
            byName('queuedWork', { 'custom.width': 70, decimals: 0 }),
          ],
        }
      ),
      table(
        50,
        'Lowest success rates',
        'Automations with the lowest success rates of the time range, and the rate at the time that Compare with selects: where it was low, too, nothing is new. Red below 70 %, orange below 90 %.',
        [
          tasks(
            {
              format: 'numeric',
              measures: ['successRate', 'successRate.before', 'failedTasks'],
              groupBy: ['activityLabel'],
              compare: '${compare}',
              sort: { field: 'successRate', order: 'asc' },
              limit: 8,
            },
            isNot('activityLabel', ''), // Its link would open nothing.
            isNot('outcome', '')
          ),
        ],
        {
          overrides: [
            dashes,
            byName('activityLabel', { 'custom.minWidth': 135, ...opens(tasksOf('activityLabel')) }),
            byName('successRate', { 'custom.width': 75, decimals: 1, ...rateCell }),
            byName('successRate.before', {
              displayName: '${compare:text}',
              'custom.width': 75,
              decimals: 1,
              ...rateCell,
            }),
            byName('failedTasks', { 'custom.width': 65 }),
          ],
        }
      )
    ),
    line(8, timelineOfRunners(41, { limit: 12, options: { legend: { showLegend: false } } })),
    row(45, 'Tasks of the time range'),
    line(
      7,
      tasksByStatus(7),
      lines(
        43,
        'Arrived, started, waiting',
        'Tasks created, and tasks started, at each time, and the most that waited at the same moment. While more arrive than start, the queue grows. A task has no runner before it starts, so Runner does not apply.',
        [
          queued({ format: 'timeseries', measure: 'tasks' }),
          queued(
            { format: 'timeseries', measure: 'tasks', timeField: 'dateStartRunning' },
            isNot('dateStartRunning', '')
          ),
          queued({ format: 'timeseries', measure: 'queued', days: 30 }),
        ],
        {
          interval: '15m',
          maxDataPoints: 48,
          overrides: [
            byQuery('A', { displayName: 'Arrived', color: fixed('text') }),
            byQuery('B', { displayName: 'Started', color: fixed('blue') }),
            byQuery('C', {
              displayName: 'Waiting',
              color: fixed('orange'),
              'custom.lineWidth': 1,
              'custom.fillOpacity': 25,
            }),
          ],
        }
      )
    ),
    line(
      3,
      tasksCreated(1),
      failedItems(24),
      stat(
        3,
        'Timed out',
        'Tasks in a timed-out state (TIMEOUT), of those created in the time range. Such a task can still finish.',
        [tasks({ format: 'numeric', measure: 'tasks' }, timedOut)],
        { link: theseTasks(`state|=~|${timedOut.value}`), number: colored('text', [1, 'red']) }
      )
    )
  ),
});
