import { fields as ofAttention } from '../schema/attention.json';
import { dataSets } from '../schema/datasets.json';
import words from '../schema/words.json';
import {
  bare,
  byName,
  byType,
  colored,
  comparedWith,
  copy,
  cell,
  dashes,
  filled,
  filledAndWrapped,
  fixed,
  is,
  label,
  lasting,
  layout,
  line,
  lines,
  missing,
  mixed,
  noAnswer,
  only,
  onlyIfSevere,
  type Link,
  type Query,
  rateCell,
  stat,
  table,
  whole,
  workspaces as datasource,
  opens,
} from './parts';

// Grafana sends each query once for every data source. Its Merge makes one row of what has the same name of the data source,
// by the fields' names in the API, so that workspaces whose names are in different languages meet in one table. Lines have
// one unit: data sources in different languages have different ones, and Grafana would give each a scale of its own.

const across = (query: Query): Query => ({ datasource, ...query });

const byWorkspace = ['dataSource', 'organizationLabel'];
const numbers = (measures: string[], query: Query = {}): Query =>
  across({ format: 'numeric', measures, groupBy: byWorkspace, ...query });
const inState = (state: string): Query => ({ days: 30, filters: [is('state', state)] });

const columns = [
  ...[...byWorkspace, 'noAnswer', 'lastAnswer', 'severity', 'needsAttention', 'queued', 'oldestQueued', 'running'],
  ...['all', 'successRate', 'difference', 'failedTasks'],
];

const unanswered = Object.values(words).map(({ noAnswer }) => noAnswer);

/** The order of the columns, as answers come in any. Grafana finds them by displayed names, in the language of the data source. */
const called = (name: string) => {
  const [{ derived, measures = [] }] = dataSets; // Of tasks.
  const field = [...derived, ...measures, ...ofAttention].find((one) => one.name === name);
  return [name, ...(field ? [field, ...Object.values(field.translations)].map(({ label }) => label) : [])];
};
const order = Object.fromEntries(
  columns.flatMap((name, index) =>
    [...called(name), ...(name === 'noAnswer' ? unanswered : [])].map((text) => [text, index])
  )
);

const merged = { id: 'merge', options: {} };

/** A condition of Grafana's filter by value, which finds fields by displayed names only. */
const isThere = (fieldName: string) => ({ fieldName, config: { id: 'isNotNull', options: {} } });

const thisWorkspace = (
  uid: string,
  title: string,
  more = '',
  name = '${__data.fields.dataSource:percentencode}'
): Link => ({
  title,
  url: `/d/${uid}?var-datasource=${name}&${more}\${compare:queryparam}&\${__url_time_range}`,
});

const today = thisWorkspace('insights-operations', 'Open Insights today of this workspace');

const named = (name: string, displayName: string, properties: object = {}) =>
  byName(name, { displayName, ...properties });

/** Since when a workspace does not answer, or how far it has come. There is no such column while all of them answer. */
const silent = named('noAnswer', 'No answer', {
  'custom.width': 112,
  ...filledAndWrapped,
  color: fixed(cell.red),
  ...missing('', cell.none),
});

export const workspaces = bare({
  uid: 'insights-workspaces',
  title: 'Insights workspaces',
  description:
    'All workspaces at a glance: which one needs somebody first, how long its queue is, and how much of its work succeeds. A workspace is a data source of this type.',
  from: 'now-24h',
  refresh: '1m',
  variables: [
    {
      type: 'datasource',
      name: 'workspaces',
      label: 'Workspaces',
      description: 'Insights data sources to show, each of which is a workspace',
      query: datasource.type,
      refresh: 1,
      multi: true,
      includeAll: true,
      current: { text: ['All'], value: ['$__all'] },
    },
    comparedWith('week'),
  ],
  panels: layout(
    line(
      9,
      table(
        1,
        'Workspaces',
        'Queued, running, longest wait (red after 30 minutes): now. Others: of the time range. Rate: orange below 90 %, red below 70 %.',
        [
          across({ format: 'attention', groupBy: byWorkspace }),
          numbers(['tasks', 'oldestQueued', 'lastAnswer'], inState('START')),
          numbers(['tasks'], inState('RUNNING')),
          numbers(['tasks', 'successRate', 'successRate.difference', 'failedTasks'], { compare: '${compare}' }),
          // The most urgent comes first.
          across({ format: 'attention', groupBy: ['activityLabel', 'dataSource'], limit: 1 }),
        ],
        {
          datasource: mixed,
          transformations: [
            copy('queued', 'tasks', 'B'),
            copy('running', 'tasks', 'C'),
            copy('all', 'tasks', 'D'),
            // What it is called says what it compares with.
            copy('difference', 'successRate.difference', 'D'),
            only(...columns),
            merged,
            { id: 'organize', options: { indexByName: order } },
          ],
          overrides: [
            dashes,
            byType('number', { 'custom.width': 60 }),
            named('dataSource', 'Workspace', { 'custom.minWidth': 104, ...opens(today) }),
            named('organizationLabel', 'Organization', { 'custom.minWidth': 102 }),
            // Not a copy: calculations join frames that have a time.
            named('severity', 'Severity', { 'custom.width': 70, 'custom.align': 'left', ...filled }),
            onlyIfSevere,
            named('needsAttention', 'Needs attention', { 'custom.width': 92, ...whole }),
            silent,
            named('lastAnswer', 'Answered', { 'custom.width': 78, unit: 'time:HH:mm:ss' }),
            named('queued', 'Queued', { 'custom.width': 70, unit: 'locale', ...whole }),
            named('oldestQueued', 'Longest wait', {
              'custom.width': 90,
              ...lasting,
              ...filled,
              ...colored(cell.none, [1800, cell.red]),
            }),
            named('running', 'Running', { 'custom.width': 72, unit: 'locale', ...whole }),
            named('all', 'Tasks', { unit: 'locale', ...whole }),
            named('successRate', 'Success rate', { 'custom.width': 70, unit: 'percentunit', decimals: 1, ...rateCell }),
            named('difference', '± points', { decimals: 1 }),
            named('failedTasks', 'Failed', { unit: 'locale', ...whole }),
          ],
          options: {
            sortBy: [
              { displayName: 'No answer', desc: true },
              { displayName: 'Severity', desc: true },
              { displayName: 'Needs attention', desc: true },
              { displayName: 'Longest wait', desc: true },
            ],
          },
        }
      )
    ),
    line(
      8,
      lines(
        2,
        'Success rate by workspace',
        'SUCCESS among the finished tasks, by the time of creation.',
        [across({ format: 'timeseries', measure: 'successRate', groupBy: ['dataSource'] })],
        { datasource: mixed, interval: '15m', maxDataPoints: 48, defaults: { max: 1 }, number: { unit: 'percentunit' } }
      ),
      lines(
        3,
        'Queue by workspace',
        'Most tasks that waited at the same moment.',
        [across({ format: 'timeseries', measure: 'queued', groupBy: ['dataSource'] })],
        // One unit for data sources of all languages, so that they share an axis.
        { datasource: mixed, interval: '1m', maxDataPoints: 240, number: { unit: 'locale' } }
      )
    ),
    line(
      4,
      // Not in the table: a column has one unit.
      stat(
        5,
        'Savings by workspace',
        'Savings of the whole days of the time range, in each workspace’s currency.',
        [across({ queryType: 'automations', format: 'numeric', measure: 'savings', groupBy: ['dataSource'] })],
        {
          datasource: mixed,
          defaults: noAnswer,
          number: missing('–', 'text'),
          link: thisWorkspace(
            'insights-business-value',
            'Open Insights business value of this workspace',
            '',
            label('dataSource')
          ),
          options: { textMode: 'value_and_name', wideLayout: false, text: { titleSize: 14, valueSize: 24 } },
        }
      )
    ),
    line(
      9,
      table(
        4,
        'Needs attention in all workspaces',
        'Automations to look at, the most severe first, and why, compared with their own last 30 days, whatever the time range.',
        [
          across({ format: 'attention', groupBy: ['activityLabel', 'dataSource'] }),
          across({ format: 'attention', groupBy: ['dataSource'] }),
        ],
        {
          datasource: mixed,
          transformations: [
            only('dataSource', 'activityLabel', 'why', 'severity', 'noAnswer'),
            // Of the workspaces themselves, only those that do not answer have a row.
            {
              id: 'filterByValue',
              filter: { id: 'byRefId', options: 'B' },
              options: { type: 'include', match: 'any', filters: unanswered.map(isThere) },
            },
            merged,
          ],
          defaults: noAnswer,
          overrides: [
            dashes,
            named('dataSource', 'Workspace', { 'custom.width': 130, ...opens(today) }),
            named('activityLabel', 'Automation', {
              'custom.width': 150,
              filterable: false,
              links: [
                thisWorkspace(
                  'insights-automations',
                  'Show this automation',
                  'var-automation=${__value.raw:percentencode}&'
                ),
              ],
            }),
            named('why', 'Why', { 'custom.cellOptions': { type: 'auto', wrapText: true } }),
            named('severity', 'Severity', { 'custom.width': 100, 'custom.align': 'left', ...filled }),
            onlyIfSevere,
            silent,
          ],
          options: {
            sortBy: [
              { displayName: 'No answer', desc: true },
              { displayName: 'Severity', desc: true },
            ],
          },
        }
      )
    )
  ),
});
