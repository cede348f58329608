import { type Filter } from '../src/query/query';
import { orNone, withChanges } from './automations';
import {
  ascending,
  attention,
  below,
  byName,
  byQuery,
  cell,
  colored,
  counted,
  dashboard,
  dashes,
  fields,
  filled,
  filledAndWrapped,
  firstOf,
  fixed,
  hasRunner,
  hidden,
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
  theseTasks,
  theseTasksOf,
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
          11,
          table(
            40,
            'Needs attention, most urgent first',
            'By severity, then tasks affected. High: nothing gets done; medium: work suffers; low: worth knowing. Usually: of the automation, last 30 days.',
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
            'Working; hung: a task blocks it; idle: none now, as often; quiet: none for over a day or its longest gap. Since: when that began.',
            [tasks({ format: 'attention', attention: { all: true }, groupBy: ['machineId'] }, hasRunner)],
            {
              w: 11,
              defaults: noAnswer,
              transformations: [only('machineId', 'state', 'since', 'activityLabel', 'tasks')],
              overrides: [
                dashes,
                ...attention('machineId', 'machine'),
                byName('machineId', { 'custom.width': 84 }),
                byName('state', { 'custom.width': 72, ...filledAndWrapped }), // Em execução
                byName('since', { 'custom.width': 104, unit: 'time:D MMM HH:mm' }),
                byName('activityLabel', { 'custom.width': 0, 'custom.minWidth': 95 }),
              ],
            }
          )
        ),
        line(
          2,
          stat(
            8,
            'Service',
            'When the service was last asked and answered. If it does not answer, since when: the other numbers are missing then, and not 0.',
            [queued({ format: 'numeric', measure: 'lastAnswer', groupBy: ['dataSource'], days: 30 })],
            {
              w: 11,
              link: theseTasks(),
              defaults: { noValue: 'Service: no answer' },
              overrides: [
                byName('lastAnswer', { displayName: 'answered', unit: 'time:HH:mm:ss' }),
                byName('noAnswer', { displayName: 'now' }),
              ],
              options: pair,
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
        'Today’s deadlines, and what waits. Red: late; orange: will be late; yellow: waits; blue: runs. Done about: by averages. No forecast: no runner takes it.',
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
            ...ascending('due'),
          ],
          overrides: [
            dashes,
            byQuery('C', { displayName: 'nothing is due, and nothing waits' }),
            byName('activityLabel', { 'custom.minWidth': 143, ...opens(tasksOf('activityLabel')) }),
            byName('due', { 'custom.width': 128, unit: 'time:ddd HH:mm Z' }),
            // Without a deadline, green would say that it is kept.
            byName('state', { 'custom.width': 95, ...filled, ...colored(cell.none), noValue: 'no deadline' }),
            ...['doneAt', 'queueClearedAt', 'never', 'order'].map((name) => byName(name, hidden)),
            byName('queued', { 'custom.width': 110 }),
            byName('queuedWork', { 'custom.width': 76, ...lasting }),
            byName('done', { displayName: 'Done about', 'custom.width': 96, ...when, ...noForecast }),
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
        'Only rates that fell since Compare with: by default, the same hours a week before. Red: by 5 points or failures. Partial success is none.',
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
          transformations: [...orNone.transformations, ...below('fallen', 'successRate.difference', -0.05)],
          overrides: [
            ...orNone.overrides,
            byName('activityLabel', { 'custom.minWidth': 143, ...counted, ...opens(tasksOf('activityLabel')) }),
            byName('fallen', hidden),
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
        'Tasks created (Tasks), started, and the most that waited at once (Queued tasks). While more arrive than start, the queue grows. Runner does not apply.',
        [
          queued({ format: 'timeseries', measures: ['tasks', 'queued'], days: 30 }),
          queued(
            { format: 'timeseries', measure: 'tasks', timeField: 'dateStartRunning' },
            isNot('dateStartRunning', '')
          ),
        ],
        {
          interval: '15m',
          maxDataPoints: 48,
          overrides: [
            byQuery('A', { color: fixed('text') }),
            byQuery('B', { displayName: 'Started', color: fixed('blue') }),
            byName('queued', { color: fixed('orange'), 'custom.fillOpacity': 25 }),
          ],
        }
      )
    )
  ),
});
