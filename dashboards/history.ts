import {
  byName,
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

const byWorkspace = (expr: string) => `sum by (organizationLabel) (${expr})`;

/**
 * Each sample is about the 24 hours before it: that of a midnight is a day. Grafana may have been restarted at midnight:
 * the last sample of the hour before counts.
 */
const dayAfter = (metric: string) => `last_over_time(${metric}[1h] offset -1d)`;
/** All days that begin in the time range, also one at its start: the bounds of a range differ between Prometheus 2 and 3. */
const wholeDays = (metric: string) => `sum_over_time(${dayAfter(metric)}[$__range:1d] offset 1s)`;

const panelOf = { datasource: prometheus };
const query = (expr: string, legendFormat: string) => ({ ...panelOf, expr, legendFormat, range: true });
const instant = (expr: string) => ({ ...panelOf, expr, format: 'table' as const, instant: true });

const noValue = 'Nothing recorded, or no answer';
const spans = { interval: '10m', maxDataPoints: 300 };
/** One point per day, however long the time range. */
const days = { interval: '1d', maxDataPoints: 1100 };
const bars = { noValue: 'No whole day recorded, or no answer', ...stacked };
// Without a line across times in which nothing was recorded.
const gaps = { noValue, custom: { lineWidth: 2, pointSize: 5, showPoints: 'auto' } };

const success = (id: number, title: string, expr: string, legendFormat: string): Panel =>
  lines(
    id,
    title,
    'SUCCESS among the finished tasks of the 24 hours before each point, as the mean of each step.',
    [query(expr, legendFormat)],
    { ...panelOf, ...spans, defaults: { ...gaps, max: 1 }, number: { unit: 'percentunit' } }
  );

const queue = (id: number, title: string, expr: string, legendFormat: string): Panel =>
  lines(
    id,
    title,
    'Maximum number of queued tasks in each step, as the rule saw them. A gap means that nothing was recorded.',
    [query(expr, legendFormat)],
    { ...panelOf, ...spans, defaults: gaps, number: { unit: 'locale', ...whole } }
  );

const tasks = (id: number, title: string, expr: string, legendFormat: string): Panel =>
  lines(id, title, 'Tasks created on each day, once it is over.', [query(expr, legendFormat)], {
    ...panelOf,
    ...days,
    defaults: bars,
    number: { unit: 'locale', ...whole },
  });

const savings = (id: number, title: string, expr: string, legendFormat: string): Panel =>
  lines(id, title, 'Savings of each day, once it is over, in the workspace’s currency.', [query(expr, legendFormat)], {
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
        success(
          1,
          'Success rate by workspace',
          `avg_over_time(insights_workspace_success_rate{${ofWorkspaces}}[$__interval])`,
          workspace
        ),
        success(2, 'Success rate by automation', `avg_over_time(${rates}[$__interval])`, automation)
      ),
      line(
        8,
        queue(
          3,
          'Queue by workspace',
          `max_over_time((${byWorkspace(queued(ofWorkspaces))} or 0 * ${byWorkspace(created(ofWorkspaces))})[$__interval:5m])`,
          workspace
        ),
        queue(
          4,
          'Queue by automation',
          `max_over_time(${queued(ofTasks)}[$__interval]) or 0 * max_over_time(${created(ofTasks)}[$__interval])`,
          automation
        )
      ),
      line(
        8,
        tasks(5, 'Tasks per day by workspace', byWorkspace(dayAfter(created(ofWorkspaces))), workspace),
        tasks(6, 'Tasks per day by automation', dayAfter(created(ofTasks)), automation)
      ),
      line(
        8,
        savings(7, 'Savings per day by workspace', byWorkspace(dayAfter(saved(ofWorkspaces))), workspace),
        savings(8, 'Savings per day by automation', dayAfter(saved(ofRecords)), '{{organizationLabel}} {{label}}')
      ),
      line(
        12,
        table(
          9,
          'All automations',
          'Every automation that was recorded in the time range, also deleted ones. The success rate is the mean of what was recorded. Tasks and savings are the sums of the days (UTC) that began in it and are over.',
          [
            instant(`avg_over_time(${rates}[$__range])`),
            instant(wholeDays(created(ofTasks))),
            instant(`label_replace(${wholeDays(saved(ofRecords))}, "activityLabel", "$1", "label", "(.*)")`),
            instant(`max_over_time(${queued(ofTasks)}[$__range])`),
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
            defaults: { noValue },
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
      list(
        'automation',
        'Automation',
        'Automations to show; panels by workspace show all of them',
        `label_values(${created(ofWorkspaces)}, activityLabel)`
      ),
    ],
  },
};
