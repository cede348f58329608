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
  onlyFor,
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
const big = (id: number, name: string, description: string, queries: Query[], shape: Parameters<typeof stat>[4]) =>
  stat(id, name, description, queries.map(asked), {
    ...shape,
    defaults: { displayName: name, color: fixed('text'), noValue: `${name}: no answer` },
    options: {
      textMode: 'value_and_name',
      wideLayout: false,
      justifyMode: 'center',
      text: {},
      ...shape?.options,
    },
  });

/** How many need attention. The frame says why there is no number: green would claim that none does. */
const concerned = { ...whole, ...colored('semi-dark-green', [1, 'red']), ...missing(undefined, 'text') };

/** Options of a Stat that shows rows. It calls a value what the other text of its row says, but for fields that are called #. */
const rows = {
  reduceOptions: { calcs: ['lastNotNull'], fields: '/^(?!#$)/', values: true, limit: 4 },
  orientation: 'horizontal',
  textMode: 'value_and_name',
  wideLayout: false,
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
      7,
      big(
        1,
        'Queued',
        'Tasks in state START now, of those created in the last 30 days.',
        [{ format: 'numeric', measure: 'tasks', days: 30, filters: [is('state', 'START')] }],
        { number: { color: fixed('blue') } }
      ),
      big(
        2,
        'Longest wait',
        'How long the oldest queued task has waited, of those created in the last 30 days. Red after 30 minutes.',
        [
          {
            days: 30,
            columns: ['queueTime'],
            sort: { field: 'queueTime', order: 'desc' },
            limit: 1,
            filters: [is('state', 'START')],
          },
        ],
        { number: { ...lasting, ...colored('semi-dark-green', [1800, 'red']), ...missing('None', 'semi-dark-green') } }
      ),
      big(
        3,
        'Running',
        'Tasks in state RUNNING now, of those created in the last 30 days.',
        [{ format: 'numeric', measure: 'tasks', days: 30, filters: [is('state', 'RUNNING')] }],
        { number: { color: fixed('blue') } }
      ),
      big(
        4,
        'Runners at work',
        'Runners that took a task in the last hour.',
        [{ days: 30, columns: ['machineId'], filters: inLastHour }],
        {
          transformations: [distinct('A')],
          overrides: [byQuery('A', { noValue: '0' })],
        }
      ),
      big(
        5,
        'Failing',
        'Automations of which more tasks fail than usual, time out, or are canceled: red from 1.',
        [{ format: 'attention', groupBy: ['dataSource'], attention: onlyFor('failing') }],
        { number: concerned }
      )
    ),
    line(
      9,
      stat(
        6,
        'Needs attention',
        'The workspace, and how many of its automations a person should look at, for any reason: red from 1.',
        [asked({ format: 'attention', groupBy: ['dataSource'] })],
        {
          w: 6,
          defaults: { noValue: 'Needs attention: no answer' },
          overrides: [
            byName('dataSource', { displayName: '#' }),
            byName('needsAttention', {
              ...concerned,
              unit: 'suffix: need attention',
              mappings: [
                { type: 'value', options: { 0: { text: 'Nothing needs attention', index: 0 } } },
                ...concerned.mappings,
              ],
            }),
          ],
          options: { ...rows, justifyMode: 'center', text: {} },
        }
      ),
      stat(
        7,
        'Look at this first',
        'The automations that need attention most, and why, compared with their own last 30 days.',
        [asked({ format: 'attention', limit: 3 })],
        {
          transformations: [only('activityLabel', 'why')],
          overrides: [byName('activityLabel', { displayName: '#' })],
          options: { ...rows, justifyMode: 'auto', text: { titleSize: 30, valueSize: 30 } },
        }
      )
    ),
    line(
      9,
      timeline(
        8,
        'Runners',
        'What ran when on runners with a task in the last 30 days. A second row is for tasks at the same time.',
        [asked({ format: 'timeline', days: 30, limit: 10 })],
        {
          options: { legend: { showLegend: false } },
          overrides: [byPattern('/.*/', { noValue: null })],
        }
      )
    )
  ),
});
