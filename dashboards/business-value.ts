import type { Filter } from '../src/query/query';
import {
  automations,
  bars,
  byName,
  byType,
  calculate,
  choice,
  copy,
  dashboard,
  dashedLine,
  dashes,
  fields,
  fixed,
  inMenu,
  label,
  lasting,
  layout,
  line,
  lines,
  missing,
  noAnswer,
  noResult,
  only,
  opens,
  pair,
  type Link,
  type Query,
  scaled,
  stacked,
  stat,
  summed,
  table,
  tasks,
  theseTasks,
  thisAutomation,
  to,
  whole,
  without,
} from './parts';

const uid = 'insights-business-value';

const theAutomations = { title: 'Show the automations', url: to(uid, { panel: 8 }) };

/**
 * Adds what the failed items of a row would have saved if they were worth as much as the processed ones. It is made of the
 * savings, of which it keeps the currency.
 */
const lost = [
  copy('processed', 'sumItemsProcessed'),
  copy('failed', 'sumItemsError'),
  calculate('share', 'failed', '/', 'processed'),
  scaled('share'),
];

const timesShare = (name: string) => `${name} * share`;
const lostName = timesShare('savings');
const aids = ['processed', 'failed', 'share'];

const ofProcessed: Filter = { key: 'sumItemsProcessed', operator: '>', value: '0' };

/** In a group, there is a field where nothing is known, too. */
const ofAll: Query = { format: 'numeric', groupBy: ['dataSource'] };

/** Names of such numbers say which data source they are of, which is selected anyway, and then the time that they cover. */
const withoutSource = { id: 'renameByRegex', options: { regex: '/^.*?: /', renamePattern: '' } };

/** A dash for what is not known, and a text for 0. */
const orIfZero = (text: string) => ({
  mappings: [...missing('–', 'text').mappings, { type: 'value', options: { 0: { text, color: 'text', index: 1 } } }],
});

const overTime = {
  interval: '5m',
  maxDataPoints: 30,
  options: { tooltip: { mode: 'multi', sort: 'none', hideZeros: true } },
};

/** A table of what tasks say exactly of each value of a field, and of all. */
const exact = (id: number, w: number, title: string, by: string, measures: string[], link?: Link) =>
  table(
    id,
    title,
    'Exact, from the tasks created in the time range. The last row: all of them.',
    [
      tasks({
        format: 'numeric',
        measures,
        groupBy: [by],
        total: true,
      }),
    ],
    {
      w,
      overrides: [
        dashes,
        byType('string', { 'custom.minWidth': 134, ...(link && opens(link)) }),
        ...measures.map((name) => byName(name, { 'custom.width': { tasks: 64, processedItems: 90 }[name] ?? 80 })),
        byName('tasks', orIfZero('none yet')),
        byName('runTime', { 'custom.width': 118, ...lasting }),
      ],
      // There is always a row of all.
      defaults: noAnswer,
    }
  );

export const businessValue = dashboard({
  uid,
  title: 'Insights business value',
  description: 'What the automations are worth, what failures cost, by automation, by repository, and over time.',
  from: 'now-30d',
  ofDays: true,
  compare: 'previous',
  variables: [
    {
      ...choice(
        'per',
        'One point per',
        'What a bar of savings represents',
        { day: 'day', week: 'week', month: 'month' },
        'day'
      ),
      ...inMenu,
    },
    {
      ...choice(
        'by',
        'Savings by',
        'What each of the last bars stands for: a repository or, if teams are set, a team',
        { repositoryLabel: 'repository', team: 'team' },
        'repositoryLabel'
      ),
      ...inMenu,
    },
    {
      type: 'textbox',
      name: 'target',
      label: 'Target',
      description: 'Savings to reach with each bar, as a number; empty: no line',
      query: '',
      current: { text: '', value: '' },
      ...inMenu,
    },
  ],
  panels: layout(
    line(
      5,
      stat(
        1,
        'Savings',
        'The service sums whole days back from now: parts of days at the ends are ±. ROI: (savings − investment) ÷ investment.',
        [
          automations({
            ...ofAll,
            measures: ['savings', 'savings.margin', 'savings.change', 'roi', 'fte'],
            compare: '${compare}',
          }),
        ],
        {
          w: 9,
          link: theAutomations,
          defaults: { noValue: 'Savings: no answer' },
          transformations: [withoutSource],
          overrides: [
            byName('savings', { ...whole, ...orIfZero('None') }),
            byName('savings.margin', {
              displayName: '± at most: parts of days at the ends',
              ...whole,
              ...orIfZero('0 (exact)'),
            }),
            byName('savings.change', { displayName: 'vs ${compare:text}', ...whole, ...missing('–', 'text') }),
            byName('roi', { displayName: 'ROI until now', ...missing('–', 'text') }),
            byName('fte', { displayName: 'FTE until now', decimals: 1, ...missing('–', 'text') }),
          ],
          options: pair,
        }
      ),
      stat(
        11,
        'Lost to failures',
        'An estimate: savings ÷ processed items × failed items, added. A failed item is taken to be worth as much as a processed one.',
        [automations({ columns: ['label', 'savings', 'sumItemsProcessed', 'sumItemsError'] }, ofProcessed)],
        {
          w: 7,
          transformations: [...lost, only(lostName)],
          defaults: noAnswer,
          number: { ...whole, displayName: 'estimated' },
          link: { title: 'Show the automations', url: to(uid, { panel: 5 }) },
          options: { textMode: 'value_and_name', reduceOptions: { calcs: ['sum'], fields: '', values: false } },
        }
      ),
      stat(
        20,
        'Exact, from tasks',
        'Counted from the tasks created in the time range: tasks, their items, and how long they ran.',
        [tasks({ ...ofAll, measures: ['tasks', 'totalItems', 'runTime'] })],
        {
          link: theseTasks(),
          defaults: { noValue: 'Exact, from tasks: no answer' },
          transformations: [withoutSource],
          overrides: [
            byName('tasks', orIfZero('no tasks yet')),
            byName('totalItems', { displayName: 'items', ...missing('–', 'text') }),
            byName('runTime', { displayName: 'run time', ...lasting }),
          ],
          options: pair,
        }
      )
    ),
    line(
      10,
      table(
        8,
        'Savings by automation',
        'The service’s sums, ± what they can be off. ROI of all is weighted by investment; it and FTE are only known until now.',
        [
          automations({
            format: 'numeric',
            measures: ['savings', 'savings.margin', 'roi', 'fte'],
            groupBy: ['label'],
            total: true,
          }),
        ],
        {
          w: 14,
          overrides: [
            dashes,
            byName('label', { 'custom.minWidth': 150, ...opens(thisAutomation()) }),
            byName('savings', { 'custom.width': 110, ...whole }),
            byName('savings.margin', { displayName: '±', 'custom.width': 90, ...whole }),
            byName('roi', { 'custom.width': 70 }),
            byName('fte', { 'custom.width': 70 }),
          ],
          defaults: noAnswer,
        }
      ),
      bars(
        12,
        'Savings by ${by:text}',
        'Savings of the automations of each ${by:text}, in whole days. At most 15.',
        [automations({ format: 'numeric', measure: 'savings', groupBy: ['${by}'], limit: 15 })],
        {
          // A bar has one of the labels. Without a value, Grafana drops the condition, and a variable selects all.
          link: {
            title: 'Show these automations',
            url: to('insights-automations', {
              set: { repository: label('repositoryLabel') },
              filter: `team|=|${label('team')}`,
            }),
          },
          defaults: { color: fixed('semi-dark-green') },
          number: whole,
        }
      )
    ),
    line(
      10,
      exact(
        21,
        13,
        'Work by automation, from tasks',
        'activityLabel',
        fields('tasks processedItems failedItems runTime'),
        thisAutomation()
      ),
      exact(22, 0, 'Work by ${by:text}, from tasks', '${by}', fields('tasks processedItems runTime'))
    ),
    line(
      10,
      lines(
        9,
        'Savings over time',
        'Savings of each whole ${per} that the time range touches, in the workspace’s currency, and the target if there is one.',
        [automations({ format: 'timeseries', measure: 'savings', per: '${per}' })],
        {
          ...overTime,
          w: 10,
          links: [{ title: 'What was recorded at each midnight', url: to('insights-history') }],
          // Made of the savings, so that both have the same unit and share an axis.
          transformations: [
            copy('saved', 'savings'),
            calculate('target', '=${target}', '/', 'saved'),
            scaled('target'),
            without('saved', 'target', 'saved * target', 'target * target'),
          ],
          defaults: { ...noResult, ...stacked, color: fixed('semi-dark-green') },
          overrides: [byName('savings * target', { displayName: 'Target', color: fixed('text'), ...dashedLine })],
        }
      ),
      table(
        5,
        'Lost to failures by automation, from the service’s sums',
        'What the failed items would have saved: savings ÷ processed × failed items, in whole days.',
        [
          automations(
            {
              columns: fields('label savings sumItemsProcessed sumItemsError'),
              sort: { field: 'sumItemsError', order: 'desc' },
            },
            ofProcessed
          ),
        ],
        {
          transformations: [
            ...lost,
            without(...aids, ...[...aids, 'sumItemsProcessed', 'sumItemsError'].map(timesShare)),
          ],
          defaults: noAnswer,
          overrides: [
            dashes,
            byName('label', { 'custom.minWidth': 150, ...opens(thisAutomation()) }),
            byName('savings', { 'custom.width': 95, ...whole }),
            byName(lostName, { displayName: 'Lost to failures', 'custom.width': 95, ...whole, ...summed }),
            ...['sumItemsProcessed', 'sumItemsError'].map((name) => byName(name, { 'custom.width': 96, ...summed })),
          ],
        }
      )
    )
  ),
});
