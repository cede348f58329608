import type { Filter } from '../src/query/query';
import {
  byName,
  byQuery,
  cell,
  colored,
  dashboard,
  dashed,
  dashes,
  fields,
  filled,
  fixed,
  hasRunner,
  history,
  label,
  type Link,
  lasting,
  layout,
  line,
  lines,
  missing,
  noAnswer,
  opens,
  rateCell,
  row,
  table,
  tasks,
  thisAutomation,
  thisRunner,
  whole,
} from './parts';
import { earlier, failedTasks, successRate, tasksByStatus, tasksCreated } from './shared';

/** What a comparison says, right of the number that it is about. */
const beside = (displayName: string) => ({ displayName, 'custom.width': 66 });

/** For a table of groups whose query B lists a row of theirs: it has a field without any, so that none do not look like no answer. */
export const orNone = {
  defaults: noAnswer,
  transformations: [{ id: 'merge', options: {} }],
  overrides: [dashes, byQuery('merge-B', { displayName: 'no tasks yet' })],
};

const risen = { ...whole, ...filled, ...colored(cell.none, [5, cell.red]) };
const fallen = { ...filled, ...colored(cell.red, [-4.95, cell.none]), ...missing('–', cell.none) };

/** Columns of success and failures, each with its change, in red if it is for the worse. */
export const withChanges = [
  byName('successRate', { 'custom.width': 101, decimals: 1, ...rateCell }),
  byName('successRate.difference', { ...beside('± points'), 'custom.width': 58, decimals: 1, ...fallen }),
  byName('failedTasks', { 'custom.width': 64 }),
  byName('failedTasks.difference', { ...beside('± failed'), ...risen }),
  byName('tasks', { 'custom.width': 58 }),
];

/** A table of the groups of a field, the lowest success rate first, and of all of them, whose row is there without any, too. */
const ranked = (
  id: number,
  what: string,
  by: string,
  link: Link,
  more: Parameters<typeof byName>[1],
  ...filters: Filter[]
) =>
  table(
    id,
    `${what}, lowest success rate first (± vs \${compare:text})`,
    'Red: below 70 %, or 5 points or failures worse than Compare with; orange: below 90 %. Partial success counts as none. Last: all.',
    [
      tasks(
        {
          format: 'numeric',
          measures: [
            ...fields(
              'successRate successRate.difference failedTasks failedTasks.difference tasks tasks.change duration'
            ),
            ...['duration.change', 'failureStreaks', 'recoveryTime', ...Object.keys(more)],
          ],
          groupBy: [by],
          compare: '${compare}',
          sort: { field: 'successRate', order: 'asc' },
          total: true,
        },
        ...filters
      ),
    ],
    {
      defaults: noAnswer,
      overrides: [
        dashes,
        byName(by, { 'custom.minWidth': 137, ...opens(link) }),
        ...withChanges,
        byName('tasks.change', { ...beside('± tasks'), 'custom.width': 60, decimals: 0 }),
        byName('duration', { 'custom.width': 78, ...lasting }),
        byName('duration.change', { ...beside('± duration'), decimals: 0 }),
        byName('failureStreaks', { 'custom.width': 66 }),
        byName('recoveryTime', { 'custom.width': 96, ...lasting }),
        ...Object.entries(more).map(([measure, properties]) => byName(measure, properties as typeof more)),
      ],
    }
  );

export const automations = dashboard({
  uid: 'insights-automations',
  title: 'Insights automations',
  description:
    'Which automations do worst, on which runners, what got better or worse, and the history of the selected ones.',
  from: 'now-7d',
  compare: 'week',
  panels: layout(
    line(
      8,
      ranked(40, 'Automations', 'activityLabel', thisAutomation(), {
        deadlinesMet: { 'custom.width': 80, decimals: 0, ...rateCell, ...missing('none due', cell.none) },
      })
    ),
    line(12, ranked(42, 'Runners', 'machineId', thisRunner(), {}, hasRunner)),
    line(
      10,
      history(
        41,
        'Success rate by automation over time',
        'SUCCESS among finished tasks, by creation: red below 70 %, orange below 90 %, otherwise blue. Nothing finished in an empty cell.',
        [
          // Has its row without any automation, too.
          tasks({ format: 'timeseries', measure: 'successRate' }),
          tasks({
            format: 'timeseries',
            measure: 'successRate',
            groupBy: ['activityLabel'],
            sort: { field: 'successRate', order: 'asc' },
          }),
        ],
        {
          interval: '15m',
          maxDataPoints: 56,
          link: thisAutomation(label('activityLabel')),
          overrides: [byQuery('A', { displayName: 'All automations', links: [] })],
          // Red and green would look the same to people with deuteranopia.
          number: colored('red', [0.7, 'orange'], [0.9, 'blue']),
          options: { perPage: 17 },
        }
      )
    ),
    row(11, 'Automation: ${automation:text}'),
    line(3, tasksCreated(4), successRate(12), failedTasks(14)),
    line(
      9,
      tasksByStatus(16),
      lines(
        15,
        'Success rate over time',
        'SUCCESS among the finished tasks created at each time. The dashed line is the time that Compare with selects.',
        [tasks({ format: 'timeseries', measure: 'successRate', compare: '${compare}' })],
        {
          interval: '5m',
          maxDataPoints: 30,
          defaults: { max: 1, color: fixed('semi-dark-green') },
          overrides: [earlier(dashed)],
        }
      )
    ),
    line(
      9,
      lines(
        18,
        'From creation to end',
        'Of the tasks created at each time: how long they waited, ran, and both together took. 95 % took no longer.',
        [tasks({ format: 'timeseries', measures: ['turnaroundP95', 'durationP95', 'queueTimeP95'] })],
        {
          interval: '5m',
          maxDataPoints: 30,
          number: lasting,
          overrides: [
            byName('turnaroundP95', { color: fixed('text') }),
            byName('durationP95', { color: fixed('blue') }),
            byName('queueTimeP95', { color: fixed('purple') }),
          ],
        }
      )
    )
  ),
});
