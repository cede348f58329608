import {
  byName,
  byType,
  cell,
  colored,
  counted,
  dashboard,
  dashes,
  failedOf,
  fields,
  filled,
  fixed,
  hasRunner,
  lasting,
  layout,
  line,
  matrix,
  noAnswer,
  opens,
  rowSum,
  runnerIfAny,
  summed,
  table,
  tasks as ofTasks,
  thisAutomation,
  to,
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
  panels: layout(
    line(
      12,
      table(
        9,
        'Tasks of the time range',
        'Tasks created in the time range, newest first, at most 1,000. Red: FAILED; yellow: timed out. The service gives no other reason of a failure.',
        [
          ofTasks({
            columns: fields(
              'dateCreation activityLabel state finishStatus failedItems totalItems machineId duration queueTime id dateStartRunning dateLastModified repositoryLabel'
            ),
            sort: { field: 'dateCreation', order: 'desc' },
            limit: 1000,
          }),
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
        'Failures by automation and runner',
        'What failures have in common: failed tasks of the time range, most first. Cells open them; –: no task there. Redder from 5, 20.',
        [
          ofTasks(
            {
              format: 'numeric',
              measure: 'failedTasks',
              groupBy: ['activityLabel', 'machineId'],
              sort: { field: 'failedTasks', order: 'desc' },
            },
            hasRunner
          ),
        ],
        {
          defaults: noAnswer,
          options: { sortBy: [{ displayName: 'All', desc: true }] },
          // Of failed tasks alone, no rate says anything.
          links: [{ title: 'Their success rates', url: to('insights-automations', { set: { Filters: '' } }) }],
          transformations: [...matrix('activityLabel', 'machineId', 'null'), rowSum],
          overrides: [
            dashes,
            byType('number', {
              unit: 'locale',
              decimals: 0,
              'custom.align': 'center',
              'custom.width': 84,
              ...summed,
              ...filled,
              ...colored(cell.none, [1, cell.orange], [5, '#B3400B'], [20, cell.red]),
              ...opens(failedOf('${__data.fields[0]:percentencode}', '${__field.name:percentencode}')),
            }),
            byName('total', {
              displayName: 'All',
              ...colored(cell.none),
              ...opens(failedOf('${__data.fields[0]:percentencode}')),
            }),
            byName('number', { displayName: 'no tasks yet', 'custom.width': 160 }), // Without rows, there is nothing else.
            byName('activityLabel\\machineId', {
              displayName: 'Automation',
              'custom.minWidth': 160,
              ...opens(failedOf('${__value.raw:percentencode}')),
            }),
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
