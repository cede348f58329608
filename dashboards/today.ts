import { type Filter } from '../src/query/query';
import { orNone, withChanges } from './automations';
import {
  ascending,
  attention,
  byName,
  byQuery,
  cell,
  colored,
  dashboard,
  dashes,
  fields,
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
  row,
  sideBySide,
  stat,
  table,
  tasks,
  tasksOf,
  theseTasksOf,
  without,
} from './parts';
import { failedTasks, successRate, tasksByStatus, timelineOfRunners } from './shared';

const open: Filter = { key: 'state', operator: '=|', values: ['START', 'RUNNING'] };
const when = { unit: 'time:ddd HH:mm' };

/** For work that waits beside idle runners, as well as for what is due and has neither ended nor a task that waits or runs. */
const noForecast = missing('no forecast', 'text');

/** The link of other tasks would open nothing. */
const ofAnAutomation = isNot('activityLabel', '');

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
          9,
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
          successRate(5, { w: 4 }),
          stat(
            6,
            'Queue',
            'Tasks in START now, longest wait (red after 30 minutes), and when done: no forecast if one below has none. Runner does not apply.',
            [
              queued(
                {
                  format: 'numeric',
                  measures: fields('tasks oldestQueued queueClearedAt'),
                  groupBy: ['dataSource'],
                  days: 30,
                },
                is('state', 'START')
              ),
            ],
            {
              w: 5,
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
                byName('queueClearedAt', { displayName: 'done about', ...when, ...noForecast }),
              ],
              options: pair,
            }
          )
        ),
      ],
      [
        line(
          12,
          table(
            46,
            'Robots',
            'Last 30 days, urgent first. Hung (red): a task blocks it. Quiet (purple): no task for over a day or its longest gap. Blue: working.',
            [tasks({ format: 'attention', attention: { all: true }, groupBy: ['machineId'] }, hasRunner)],
            {
              w: 11,
              defaults: noAnswer,
              transformations: [only('machineId', 'state', 'since', 'activityLabel', 'tasks')],
              overrides: [
                dashes,
                ...attention('machineId', 'machine'),
                byName('machineId', { 'custom.width': 80 }),
                byName('state', { 'custom.width': 101, ...filled }), // Em execução
                byName('since', { 'custom.width': 100, unit: 'time:D MMM HH:mm' }),
                byName('activityLabel', { 'custom.width': 0, 'custom.minWidth': 95 }),
              ],
            }
          )
        ),
      ]
    ),
    line(
      7,
      table(
        49,
        'Today’s work',
        'Deadlines of today, and what waits or runs. At risk: will be late. Done about: by average durations; no forecast where no runner takes it.',
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
          // Has its field without rows, too, so that nothing to do is not shown like no answer.
          queued({ days: 30, columns: ['activityLabel'], limit: 1 }, is('state', 'START')),
          // Of what only runs, too: a deadline keeps its forecast when the last of its tasks begins.
          queued({ format: 'numeric', measures: ['queueClearedAt'], groupBy: ['activityLabel'], days: 30 }, open),
        ],
        {
          w: 17,
          defaults: noAnswer,
          interval: '1m',
          maxDataPoints: 1440,
          transformations: [
            only('activityLabel', 'due', 'state', 'doneAt', 'queued', 'queuedWork', 'queueClearedAt'),
            ...join('activityLabel', 'ABD'),
            firstOf('done', 'doneAt', 'queueClearedAt'),
            without('doneAt', 'queueClearedAt'),
            ...ascending('due'),
          ],
          overrides: [
            dashes,
            byQuery('C', { displayName: 'nothing is due, and nothing waits' }),
            byName('activityLabel', { 'custom.minWidth': 143, ...opens(tasksOf('activityLabel')) }),
            byName('due', { 'custom.width': 136, unit: 'time:ddd HH:mm Z' }),
            byName('state', { 'custom.width': 101, ...filled, ...colored(cell.none) }), // Without a deadline, green would say that it is kept.
            byName('queued', { 'custom.width': 65 }),
            byName('queuedWork', { 'custom.width': 80, ...lasting }),
            byName('done', { displayName: 'Done about', 'custom.width': 100, ...when, ...noForecast }),
          ],
        }
      ),
      timelineOfRunners(41, { limit: 12, options: { legend: { showLegend: false } } })
    ),
    row(45, 'Tasks of the time range'),
    line(
      9,
      table(
        50,
        'What got worse (± vs ${compare:text})',
        'Success rates that fell most since Compare with, first. Red: at least 5 points less, or 5 failures more. Partial success counts as none.',
        [
          tasks(
            {
              format: 'numeric',
              measures: fields('successRate.difference successRate failedTasks failedTasks.difference tasks'),
              groupBy: ['activityLabel'],
              compare: '${compare}',
              sort: { field: 'successRate.difference', order: 'asc' },
            },
            ofAnAutomation
          ),
          tasks({ columns: ['activityLabel'], limit: 1 }, ofAnAutomation),
        ],
        {
          w: 14,
          ...orNone,
          overrides: [
            ...orNone.overrides,
            byName('activityLabel', { 'custom.minWidth': 143, ...opens(tasksOf('activityLabel')) }),
            ...withChanges,
            byName('successRate', { 'custom.width': 96 }),
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
            byQuery('C', { displayName: 'Waiting', color: fixed('orange'), 'custom.fillOpacity': 25 }),
          ],
        }
      )
    )
  ),
});
