import {
  ascending,
  attention,
  byName,
  byQuery,
  cell,
  colored,
  dashboard,
  dashes,
  filled,
  firstOf,
  fixed,
  hasRunner,
  is,
  isNot,
  join,
  lasting,
  layout,
  line,
  lines,
  missing,
  noAnswer,
  only,
  opens,
  pair,
  queued,
  rateCell,
  row,
  sideBySide,
  stat,
  summed,
  table,
  tasks,
  tasksOf,
  theseTasksOf,
  without,
} from './parts';
import { failedTasks, successRate, tasksByStatus, timelineOfRunners } from './shared';

export const today = dashboard({
  uid: 'insights-operations',
  title: 'Insights today',
  description:
    'What a morning asks: what needs attention and why, what the robots do, and what of today’s work is done or waits.',
  from: 'now-24h',
  refresh: '1m',
  compare: 'week',
  panels: layout(
    sideBySide(
      [
        line(
          10,
          table(
            40,
            'Needs attention',
            'Automations to look at, the most urgent first, and why, compared with their own last 30 days. High: nothing works; medium: work suffers.',
            [tasks({ format: 'attention' })],
            {
              w: 13,
              transformations: [only('activityLabel', 'why', 'severity', 'tasks')],
              defaults: noAnswer,
              overrides: attention('activityLabel', 'automation'),
            }
          )
        ),
        line(
          3,
          failedTasks(4, { w: 4 }),
          successRate(5, { w: 5 }),
          stat(
            6,
            'Queue',
            'Tasks in state START now, of the last 30 days, and the longest wait: red after 30 minutes. Runner does not apply.',
            [
              queued(
                { format: 'numeric', measures: ['tasks', 'oldestQueued'], groupBy: ['dataSource'], days: 30 },
                is('state', 'START')
              ),
            ],
            {
              w: 4,
              link: theseTasksOf(30, 'state|=|START'),
              defaults: { noValue: 'Queue: no answer' },
              overrides: [
                byName('tasks', { displayName: 'waiting' }),
                byName('noAnswer', { displayName: 'waiting' }),
                byName('oldestQueued', {
                  displayName: 'longest',
                  ...lasting,
                  ...colored('text', [1800, 'red']),
                  ...missing('–', 'text'),
                }),
              ],
              options: pair,
            }
          )
        ),
      ],
      [
        line(
          13,
          table(
            46,
            'Robots',
            'Runners of the last 30 days, urgent ones first. Quiet: no task for over a day, or for longer than ever between two.',
            [tasks({ format: 'attention', attention: { all: true }, groupBy: ['machineId'] }, hasRunner)],
            {
              w: 11,
              defaults: noAnswer,
              transformations: [only('machineId', 'state', 'since', 'activityLabel', 'tasks')],
              overrides: [
                dashes,
                ...attention('machineId', 'machine'),
                byName('state', { 'custom.width': 74, ...filled }),
                byName('since', { 'custom.width': 104, unit: 'time:D MMM HH:mm' }),
                byName('activityLabel', { 'custom.width': 0, 'custom.minWidth': 95 }),
              ],
            }
          )
        ),
      ]
    ),
    line(
      6,
      table(
        49,
        'Today’s work',
        'What is due today or late, by the settings, and what waits. Work left and Done about follow from average durations. Runner does not apply.',
        [
          queued({ format: 'deadlines' }),
          queued(
            {
              format: 'numeric',
              measures: ['queued', 'queuedWork', 'queueClearedAt'],
              groupBy: ['activityLabel'],
              days: 30,
              sort: { field: 'queuedWork', order: 'desc' },
            },
            is('state', 'START')
          ),
          // Has its field without rows, too, so that nothing to do is not shown like no answer.
          queued({ days: 30, columns: ['activityLabel'], limit: 1 }, is('state', 'START')),
        ],
        {
          w: 15,
          defaults: noAnswer,
          interval: '1m',
          maxDataPoints: 1440,
          transformations: [
            only('activityLabel', 'due', 'state', 'doneAt', 'queued', 'queuedWork', 'queueClearedAt'),
            ...join('activityLabel', 'AB'),
            firstOf('done', 'doneAt', 'queueClearedAt'),
            without('doneAt', 'queueClearedAt'),
            ...ascending('due'),
          ],
          overrides: [
            dashes,
            byName('activityLabel', { 'custom.minWidth': 143, ...opens(tasksOf('activityLabel')) }),
            byName('due', { 'custom.width': 122, unit: 'time:ddd HH:mm Z' }),
            byName('state', { 'custom.width': 84, ...filled, ...colored(cell.none) }), // Without a deadline, green would say that it is kept.
            byName('queued', { 'custom.width': 65, ...summed }),
            byName('queuedWork', { 'custom.width': 75, ...lasting, ...summed }),
            byName('done', { displayName: 'Done about', 'custom.width': 85, unit: 'time:ddd HH:mm' }),
          ],
        }
      ),
      timelineOfRunners(41, { limit: 12, options: { legend: { showLegend: false } } })
    ),
    row(45, 'Tasks of the time range'),
    line(
      8,
      table(
        50,
        'Lowest success rates',
        'The lowest rates of the time range, and those at the time that Compare with selects. Red below 70 %, orange below 90 %.',
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
      ),
      tasksByStatus(7)
    ),
    line(
      7,
      lines(
        43,
        'Arrived, started, waiting',
        'Tasks created and started, and the most that waited at once. While more arrive than start, the queue grows. Runner does not apply.',
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
    )
  ),
});
