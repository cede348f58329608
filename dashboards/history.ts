import {
  byName,
  byQuery,
  counted,
  dashboard,
  dashes,
  layout,
  line,
  lines,
  only,
  type Panel,
  rateCell,
  stacked,
  table,
  type Variable,
  whole,
} from './parts';

// What the recording rules of provisioning/history wrote to Prometheus, also of times that the service has forgotten.

const prometheus = { type: 'prometheus', uid: '${prometheus}' };

const ofWorkspaces = 'organizationLabel=~"$workspace"';
const ofTasks = `${ofWorkspaces}, activityLabel=~"$automation"`;
/** The service's records of automations have another name for the label that its tasks have. */
const ofRecords = `${ofWorkspaces}, label=~"$automation"`;

/**
 * Each sample is about the 24 hours before it: that of a midnight is a day. Grafana may have been restarted at midnight:
 * the last sample of the hour before counts, but not that of 23:00, which is all that a backfill has of it.
 */
const dayAfter = (metric: string) => `last_over_time(${metric}[59m] offset -1d)`;
/** All days that begin in the time range, also one at its start: the bounds of a range differ between Prometheus 2 and 3. */
const wholeDays = (metric: string) => `sum_over_time(${dayAfter(metric)}[$__range:1d] offset 1s)`;

/** VictoriaMetrics keeps the names of metrics, and rows with different ones would not be merged. */
const nameless = (expr: string) => `sum without () (${expr})`;

const panelOf = { datasource: prometheus };
const query = (expr: string, legendFormat: string) => ({ ...panelOf, expr, legendFormat, range: true });
const instant = (expr: string) => ({ ...panelOf, expr, format: 'table' as const, instant: true });

const spans = { interval: '10m', maxDataPoints: 300 };
/** One point per day, however long the time range. */
const days = { interval: '1d', maxDataPoints: 1100 };
// The table says that there is no result, once.
const bars = { noValue: '–', ...stacked };
// Without a line across times in which nothing was recorded.
const gaps = { noValue: '–', custom: { lineWidth: 2, pointSize: 5, showPoints: 'auto' } };

const daily = (id: number, title: string, description: string, expr: string, legendFormat: string): Panel =>
  lines(id, title, description, [query(expr, legendFormat)], {
    ...panelOf,
    ...days,
    defaults: bars,
    number: { unit: 'locale', ...whole },
  });

const list = (name: string, label: string, description: string, values: string): Variable => ({
  type: 'query',
  name,
  label,
  description,
  datasource: prometheus,
  definition: values,
  query: { qryType: 1, query: values, refId: 'PrometheusVariableQueryEditor-VariableQuery' },
  // With the time range: what was deleted since is listed where it was.
  refresh: 2,
  sort: 1,
  multi: true,
  includeAll: true,
  allValue: '.*',
  current: { text: ['All'], value: ['$__all'] },
});

const workspace = '{{organizationLabel}}';
const automation = '{{organizationLabel}} {{activityLabel}}';
const queued = (selection: string) => `insights_automation_queued{${selection}}`;
const created = (selection: string) => `insights_automation_tasks{${selection}}`;
const saved = (selection: string) => `insights_automation_savings{${selection}}`;
const columns = ['organizationLabel', 'activityLabel', 'Value #A', 'Value #B', 'Value #C', 'Value #D'];
const rates = `insights_automation_success_rate{${ofTasks}}`;

export const history: ReturnType<typeof dashboard> = {
  ...dashboard({
    uid: 'insights-history',
    title: 'Insights history',
    description:
      'Success rate, tasks, savings, and queue as recording rules wrote them to Prometheus, by workspace and automation, also of times that the service has forgotten.',
    from: 'now-90d',
    compare: 'previous',
    panels: layout(
      line(
        8,
        lines(
          1,
          'Success rate',
          'SUCCESS among the finished tasks of the 24 hours before each point: of each workspace, and of its automations.',
          [
            query(`avg_over_time(insights_workspace_success_rate{${ofWorkspaces}}[$__interval])`, workspace),
            query(`avg_over_time(${rates}[$__interval])`, automation),
          ],
          {
            ...panelOf,
            ...spans,
            defaults: { ...gaps, max: 1 },
            number: { unit: 'percentunit' },
            overrides: [byQuery('A', { 'custom.lineWidth': 4 })],
          }
        ),
        lines(
          4,
          'Queue by automation',
          'Maximum number of queued tasks in each step, as the rule saw them. A gap means that nothing was recorded.',
          [
            query(
              `max_over_time(${queued(ofTasks)}[$__interval]) or 0 * max_over_time(${created(ofTasks)}[$__interval])`,
              automation
            ),
          ],
          { ...panelOf, ...spans, defaults: gaps, number: { unit: 'locale', ...whole } }
        )
      ),
      line(
        8,
        daily(
          6,
          'Tasks per day by automation',
          'Tasks created on each day, once it is over.',
          dayAfter(created(ofTasks)),
          automation
        ),
        daily(
          8,
          'Savings per day by automation',
          'Savings of each day, once it is over, in the workspace’s currency.',
          dayAfter(saved(ofRecords)),
          '{{organizationLabel}} {{label}}'
        )
      ),
      line(
        12,
        table(
          9,
          'All automations',
          'Automations recorded, also deleted ones. Mean rate, red below 70 %, orange below 90 %; sums of whole days (UTC) of the time range.',
          [
            instant(nameless(`avg_over_time(${rates}[$__range])`)),
            instant(wholeDays(created(ofTasks))),
            instant(`label_replace(${wholeDays(saved(ofRecords))}, "activityLabel", "$1", "label", "(.*)")`),
            instant(nameless(`max_over_time(${queued(ofTasks)}[$__range])`)),
          ],
          {
            ...panelOf,
            transformations: [
              { id: 'merge', options: {} },
              only(...columns),
              {
                id: 'organize',
                options: { indexByName: Object.fromEntries(columns.map((name, index) => [name, index])) },
              },
            ],
            overrides: [
              dashes,
              byName('organizationLabel', { displayName: 'Workspace', 'custom.minWidth': 120 }),
              byName('activityLabel', { displayName: 'Automation', 'custom.minWidth': 150, ...counted }),
              byName('Value #A', { displayName: 'Success rate', unit: 'percentunit', decimals: 1, ...rateCell }),
              byName('Value #B', { displayName: 'Tasks', unit: 'locale', ...whole }),
              byName('Value #C', { displayName: 'Savings', unit: 'locale', ...whole }),
              byName('Value #D', { displayName: 'Longest queue', unit: 'locale', ...whole }),
            ],
          }
        )
      )
    ),
  }),
  annotations: { list: [] },
  templating: {
    list: [
      {
        type: 'datasource',
        name: 'prometheus',
        label: 'Prometheus',
        description: 'Data source to which the recording rules write',
        query: prometheus.type,
        refresh: 1,
        current: {},
      },
      list(
        'workspace',
        'Workspace',
        'Workspaces to show, by their organization label',
        'label_values(insights_automation_tasks, organizationLabel)'
      ),
      list('automation', 'Automation', 'Automations to show', `label_values(${created(ofWorkspaces)}, activityLabel)`),
    ],
  },
};
