import {
  byName,
  byType,
  cell,
  choice,
  colored,
  counted,
  dashboard,
  dashes,
  failedOf,
  fields,
  filled,
  fixed,
  lasting,
  layout,
  line,
  noAnswer,
  opens,
  rateCell,
  runnerIfAny,
  table,
  tasks as ofTasks,
  thisAutomation,
} from './parts';

const states = shades({
  RUNNING: '#1F60C4',
  START: '#62666B',
  CANCELED: '#8F3BB8',
  TIMEOUT: '#FADE2A',
  FINISHED: '',
});

export const tasks = dashboard({
  uid: 'insights-tasks',
  title: 'Insights tasks',
  description:
    'The tasks behind the numbers of the other dashboards: what was created in the time range, and what waits and runs now.',
  from: 'now-24h',
  refresh: '1m',
  compare: 'week',
  variables: [
    {
      ...choice(
        'outcome',
        'Outcome',
        'How the listed tasks ended; All filters nothing. The other panels show all',
        { FAILED: 'failed or timed out', PARTIALLY_COMPLETED: 'failed in part', SUCCESS: 'success' },
        'FAILED'
      ),
      hide: 1, // Its value says what it is, and a phone has room for it beside another one.
      multi: true,
      includeAll: true,
      current: { text: ['All'], value: ['$__all'] },
    },
  ],
  panels: layout(
    line(
      11,
      table(
        9,
        'Tasks of the time range',
        'Tasks created in the time range, newest first, at most 1,000. Red: FAILED; yellow: timed out. The service gives no other reason of a failure.',
        [
          ofTasks(
            {
              columns: fields(
                'dateCreation activityLabel state finishStatus failedItems totalItems machineId duration queueTime id dateStartRunning dateLastModified repositoryLabel'
              ),
              sort: { field: 'dateCreation', order: 'desc' },
              limit: 1000,
            },
            { key: 'outcome', operator: '=|', values: ['${outcome}'] }
          ),
        ],
        {
          defaults: noAnswer,
          options: { enablePagination: true },
          overrides: [
            dashes,
            byName('dateCreation', { 'custom.width': 155, ...counted }),
            byName('activityLabel', { 'custom.minWidth': 143, ...opens(thisAutomation()) }),
            byName('state', { 'custom.width': 85, ...filled, ...states }),
            byName('finishStatus', {
              'custom.width': 185,
              ...filled,
              ...shades({ SUCCESS: '', PARTIALLY_COMPLETED: '#FFCB7D', FAILED: cell.red }),
              color: fixed(cell.none),
            }),
            byName('failedItems', { 'custom.width': 62 }),
            byName('totalItems', { 'custom.width': 58 }),
            byName('machineId', { 'custom.width': 82, ...opens(runnerIfAny) }),
            byName('duration', { 'custom.width': 80, ...lasting }),
            byName('queueTime', { 'custom.width': 80, ...lasting }),
            byName('id', { 'custom.width': 105, filterable: false }),
            byName('dateStartRunning', { 'custom.width': 160 }),
            byName('dateLastModified', { 'custom.width': 160 }),
            byName('repositoryLabel', { 'custom.width': 130 }),
          ],
        }
      )
    ),
    line(
      8,
      table(
        27,
        'Why: what failures have in common (the service gives no reason)',
        'All tasks of the time range, most failures first: whether all runners fail alike, since when, and more than at the time to compare with.',
        [
          ofTasks({
            format: 'numeric',
            measures: fields(
              'failedTasks tasks successRate successRate.difference failuresInARow sinceLastSuccess duration'
            ),
            groupBy: ['activityLabel', 'machineId'],
            compare: '${compare}',
            sort: { field: 'failedTasks', order: 'desc' },
            limit: 100,
          }),
        ],
        {
          overrides: [
            dashes,
            byName('activityLabel', {
              'custom.minWidth': 143,
              ...opens(failedOf({ automation: '${__value.raw:percentencode}' })),
            }),
            byName('machineId', { 'custom.width': 90, ...opens(runnerIfAny) }),
            byType('number', { 'custom.width': 80 }),
            byName('successRate', { 'custom.width': 115, decimals: 0, ...rateCell }),
            byName('successRate.difference', { displayName: '± points', decimals: 0 }),
            byName('sinceLastSuccess', { 'custom.width': 105, ...lasting }),
            byName('duration', { 'custom.width': 85, ...lasting }),
          ],
        }
      )
    ),
    line(
      9,
      table(
        26,
        'Waiting and running now',
        'Tasks in state START or RUNNING, of the last 30 days, the oldest first. Slowness: duration ÷ the automation’s 95th percentile; red from 2.',
        [
          ofTasks(
            {
              days: 30,
              sort: { field: 'dateCreation', order: 'asc' },
              limit: 100,
              columns: fields('state activityLabel id machineId queueTime duration slowness dateCreation'),
            },
            { key: 'state', operator: '=|', values: ['START', 'RUNNING'] }
          ),
        ],
        {
          defaults: noAnswer,
          overrides: [
            dashes,
            byName('state', { 'custom.width': 90, ...counted, ...filled, ...states }),
            byName('activityLabel', { 'custom.minWidth': 150, ...opens(thisAutomation()) }),
            byName('machineId', { 'custom.width': 90, ...opens(runnerIfAny) }),
            byName('queueTime', { 'custom.width': 100, ...lasting }),
            byName('duration', { 'custom.width': 100, ...lasting }),
            byName('slowness', { 'custom.width': 85, ...filled, ...colored(cell.none, [2, cell.red]) }),
            byName('dateCreation', { 'custom.width': 155 }),
            byName('id', { 'custom.width': 105, filterable: false }),
          ],
        }
      )
    )
  ),
});

/** Backgrounds of the cells with some values; none where the color is empty. */
function shades(colors: Record<string, string>) {
  const options = Object.fromEntries(
    Object.entries(colors).map(([value, color], index) => [value, { color: color || cell.none, index }])
  );
  return { mappings: [{ type: 'value', options }] };
}
