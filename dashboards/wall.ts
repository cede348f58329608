import {
  bare,
  byName,
  byPattern,
  byQuery,
  colored,
  fixed,
  distinct,
  inLastHour,
  is,
  lasting,
  layout,
  line,
  only,
  type Query,
  stat,
  timeline,
  missing,
  whole,
} from './parts';

// Read from five metres: every number has its name beside it, in large type. Public dashboards send the saved queries from
// Grafana's server, which knows no variables: there are none, and importing the dashboard puts the data source in.

const asked = (query: Query): Query => ({ queryType: 'tasks', ...query });

/** A number with its name in large type. Both are as large as fits. Without a number, the name stays. */
const big = (id: number, name: string, description: string, queries: Query[], shape: Parameters<typeof stat>[4] = {}) =>
  stat(id, name, description, queries.map(asked), {
    ...shape,
    defaults: { displayName: name, color: fixed('text'), noValue: `${name}: no answer` },
    options: { textMode: 'value_and_name', wideLayout: false, justifyMode: 'center', text: {} },
  });

/** A number of the tasks in a state now. That of a group has a field even if it is missing. */
const now = (measure: string, state: string): Query => ({
  format: 'numeric',
  measure,
  groupBy: ['dataSource'],
  days: 30,
  filters: [is('state', state)],
});

/** Options of a Stat that shows rows. It calls a value what the other text of its row says, but for fields that are called #. */
const rows = {
  reduceOptions: { calcs: ['lastNotNull'], fields: '/^(?!#$)/', values: true, limit: 4 },
  orientation: 'horizontal',
  textMode: 'value_and_name',
};

export const wall = bare({
  __inputs: [
    {
      name: 'datasource',
      label: 'Insights',
      description: '',
      type: 'datasource',
      pluginId: 'insights-reporting-datasource',
      pluginName: 'Insights',
    },
  ],
  uid: '', // Grafana makes one, so that there can be a wall for each data source.
  title: 'Insights wall',
  description:
    'For a screen on a wall: what waits, what runs, and what needs somebody. It can be shared publicly as it is.',
  from: 'now-12h',
  refresh: '1m',
  // Nobody who sees it on a wall, or publicly, opens another dashboard.
  links: [],
  panels: layout(
    line(
      3,
      stat(
        6,
        'Needs attention',
        'The workspace, and how many of its automations a person should look at, for any reason: red from 1.',
        [asked({ format: 'attention', groupBy: ['dataSource'] })],
        {
          transformations: [only('dataSource', 'needsAttention')],
          defaults: { noValue: 'Needs attention: no answer' },
          overrides: [
            byName('dataSource', { displayName: '#' }),
            byName('needsAttention', {
              ...whole,
              // The frame says why there is no number: green would claim that none does.
              ...colored('semi-dark-green', [1, 'red']),
              unit: 'suffix: need attention',
              mappings: [
                { type: 'value', options: { 0: { text: 'Nothing needs attention', index: 0 } } },
                ...missing(undefined, 'text').mappings,
              ],
            }),
          ],
          options: { ...rows, wideLayout: true, justifyMode: 'auto', text: {} },
        }
      )
    ),
    line(
      5,
      big(1, 'Queued', 'Tasks in state START now, of those created in the last 30 days.', [now('tasks', 'START')]),
      big(
        2,
        'Longest wait',
        'How long the oldest queued task has waited, of those created in the last 30 days. Red after 30 minutes.',
        [now('oldestQueued', 'START')],
        { number: { ...lasting, ...colored('semi-dark-green', [1800, 'red']), ...missing('None', 'text') } }
      ),
      big(3, 'Running', 'Tasks in state RUNNING now, of those created in the last 30 days.', [now('tasks', 'RUNNING')]),
      big(
        4,
        'Runners at work',
        'Runners that took a task in the last hour.',
        // Rows have no field that says that there is no answer. The number beside them has, and is shown only then.
        [{ days: 30, columns: ['machineId'], filters: inLastHour }, now('tasks', 'RUNNING')],
        {
          transformations: [only('machineId', 'noAnswer'), distinct('A')],
          overrides: [byQuery('A', { noValue: '0' })],
        }
      )
    ),
    line(
      10,
      stat(
        7,
        'Look at this first',
        'The automations that need attention most, and why, compared with their own last 30 days.',
        [asked({ format: 'attention', limit: 3 })],
        {
          transformations: [only('activityLabel', 'why')],
          // Whether nothing needs attention or nothing answers is said above.
          defaults: { noValue: '–' },
          overrides: [byName('activityLabel', { displayName: '#' })],
          options: { ...rows, wideLayout: false, justifyMode: 'auto', text: { titleSize: 28, valueSize: 28 } },
        }
      )
    ),
    line(
      7,
      timeline(
        8,
        'Runners',
        'What ran when on the runners of the last 30 days, a color for each automation. A second row: tasks at the same time.',
        [asked({ format: 'timeline', days: 30, limit: 10 })],
        {
          options: { legend: { showLegend: false } },
          overrides: [byPattern('/.*/', { noValue: null })],
        }
      )
    )
  ),
});
