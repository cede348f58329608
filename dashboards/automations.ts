import {
  byName,
  cell,
  colored,
  counted,
  dashboard,
  dashed,
  dashes,
  fields,
  filled,
  fixed,
  history,
  label,
  layout,
  line,
  lines,
  opens,
  automations as ofAutomations,
  rateCell,
  row,
  stacked,
  table,
  tasks,
  thisAutomation,
  withTotals,
} from './parts';
import { earlier, failedItems, failedTasks, successRate, tasksByStatus, tasksCreated } from './shared';

/** What a comparison says, right of the number that it is about. */
const beside = (displayName: string) => ({ displayName, 'custom.width': 66 });

export const automations = dashboard({
  uid: 'insights-automations',
  title: 'Insights automations',
  description: 'Which automations do worst, what got better or worse, and the history of the selected ones.',
  from: 'now-7d',
  compare: 'week',
  panels: layout(
    line(
      9,
      table(
        40,
        'Automations, worst first (± vs ${compare:text})',
        'Each automation, and its change from the time that Compare with selects: percentage points of the rate, numbers of failures, shares of tasks and mean durations. Red: a share below 70 %, or at least 5 failures more.',
        [
          tasks({
            format: 'numeric',
            measures: fields(
              'successRate successRate.difference failedTasks failedTasks.difference tasks tasks.change duration duration.change failureStreaks recoveryTime deadlinesMet'
            ),
            groupBy: ['activityLabel'],
            compare: '${compare}',
            sort: { field: 'successRate', order: 'asc' },
          }),
        ],
        {
          overrides: [
            dashes,
            byName('activityLabel', { 'custom.minWidth': 140, ...opens(thisAutomation()) }),
            byName('successRate', { 'custom.width': 78, decimals: 1, ...rateCell }),
            byName('successRate.difference', { ...beside('± points'), decimals: 1 }),
            byName('failedTasks', { 'custom.width': 64 }),
            byName('failedTasks.difference', {
              ...beside('± failed'),
              decimals: 0,
              ...filled,
              ...colored(cell.none, [5, cell.red]),
            }),
            byName('tasks', { 'custom.width': 63 }),
            byName('tasks.change', { ...beside('± tasks'), decimals: 0 }),
            byName('duration', { 'custom.width': 74, decimals: 0 }),
            byName('duration.change', { ...beside('± duration'), decimals: 0 }),
            byName('failureStreaks', { 'custom.width': 68 }),
            byName('recoveryTime', { 'custom.width': 101, decimals: 0 }),
            byName('deadlinesMet', { 'custom.width': 80, decimals: 0, ...rateCell }),
          ],
        }
      )
    ),
    line(
      9,
      history(
        41,
        'Success rate by automation over time',
        'How many of the tasks that were created in each step and have finished ended with SUCCESS: red below 70 %, orange below 90 %, otherwise blue. Nothing finished in an empty cell.',
        [
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
          defaults: {},
          // Red and green would look the same to people with deuteranopia.
          number: colored('red', [0.7, 'orange'], [0.9, 'blue']),
          options: { perPage: 16 },
        }
      )
    ),
    row(11, 'Automation: ${automation:text}'),
    line(4, tasksCreated(4), successRate(12), failedTasks(14), failedItems(6)),
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
        'Of the tasks created at each time: how long those that have started waited, those that have finished ran, and both together took. 95 % took no longer.',
        [tasks({ format: 'timeseries', measures: ['turnaroundP95', 'durationP95', 'queueTimeP95'] })],
        {
          interval: '5m',
          maxDataPoints: 30,
          overrides: [
            byName('turnaroundP95', { color: fixed('text') }),
            byName('durationP95', { color: fixed('blue') }),
            byName('queueTimeP95', { color: fixed('purple') }),
          ],
        }
      ),
      lines(
        19,
        'Items over time',
        'Processed and failed items of the tasks created at each time.',
        [tasks({ format: 'timeseries', measures: ['processedItems', 'failedItems'] })],
        {
          interval: '5m',
          maxDataPoints: 30,
          defaults: stacked,
          overrides: [
            byName('processedItems', { color: fixed('semi-dark-green') }),
            byName('failedItems', { color: fixed('red') }),
          ],
          options: withTotals,
        }
      )
    ),
    line(
      12,
      table(
        30,
        'All automations',
        'The service’s own totals of each automation in the time range, in whole days. Rates are known only up to now.',
        [
          ofAutomations({
            columns: fields('label name taskCount successRate sumItems sumItemsError savings repositoryLabel'),
            sort: { field: 'taskCount', order: 'desc' },
          }),
        ],
        {
          overrides: [
            dashes,
            byName('label', { 'custom.minWidth': 155, ...counted, ...opens(thisAutomation()) }),
            byName('name', { 'custom.minWidth': 155 }),
            ...['taskCount', 'sumItems', 'sumItemsError'].map((name) =>
              byName(name, { 'custom.width': 90, decimals: 0 })
            ),
            // With the decimals of its currency: without them, 1,234 euros would be €1K.
            byName('savings', { 'custom.width': 90 }),
            byName('successRate', { 'custom.width': 90, decimals: 1 }),
            byName('repositoryLabel', { 'custom.minWidth': 135 }),
          ],
        }
      )
    )
  ),
});
