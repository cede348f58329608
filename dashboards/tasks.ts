import {
  byName,
  cell,
  colored,
  counted,
  dashboard,
  dashes,
  fields,
  filled,
  fixed,
  lasting,
  layout,
  line,
  noAnswer,
  opens,
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
  panels: layout(
    line(
      18,
      table(
        9,
        'Tasks of the time range',
        'Tasks created in the time range, the newest first, at most 1,000. Below: how many are listed. Red: FAILED; yellow: timed out.',
        [
          ofTasks({
            columns: fields(
              'dateCreation activityLabel id state finishStatus machineId queueTime duration failedItems totalItems dateStartRunning dateLastModified repositoryLabel'
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
            byName('activityLabel', { 'custom.minWidth': 150, ...opens(thisAutomation()) }),
            byName('state', {
              'custom.width': 85,
              ...filled,
              ...states,
            }),
            byName('finishStatus', {
              'custom.width': 125,
              ...filled,
              ...shades({ SUCCESS: '', PARTIALLY_COMPLETED: '#FFCB7D', FAILED: cell.red }),
              color: fixed(cell.none),
            }),
            byName('machineId', { 'custom.width': 85, ...opens(runnerIfAny) }),
            byName('queueTime', { 'custom.width': 85, ...lasting }),
            byName('duration', { 'custom.width': 85, ...lasting }),
            byName('failedItems', { 'custom.width': 90 }),
            byName('totalItems', { 'custom.width': 90 }),
            byName('id', { 'custom.width': 105, filterable: false }),
            byName('dateStartRunning', { 'custom.width': 160 }),
            byName('dateLastModified', { 'custom.width': 160 }),
            byName('repositoryLabel', { 'custom.width': 130 }),
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
