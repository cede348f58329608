import type { Filter } from '../src/query/query';
import {
  automations,
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
  lasting,
  layout,
  line,
  lines,
  missing,
  noAnswer,
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

/** Names of such numbers say which data source they are of, which is selected anyway, and that a margin is one of savings. */
const withoutSource = {
  id: 'renameByRegex',
  options: { regex: '/^.*?: (?:.*\\((±.*)\\)|(.*))$/', renamePattern: '$1$2' },
};

/** A dash for what is not known, and a text for 0. */
const orIfZero = (text: string) => ({
  mappings: [...missing('–', 'text').mappings, { type: 'value', options: { 0: { text, color: 'text', index: 1 } } }],
});

/** A table of what tasks say exactly of each value of a field, and of all. */
const exact = (id: number, w: number, title: string, by: string, measures: string[], link?: Link) =>
  table(
    id,
    title,
    'Exact, from the tasks created in the time range. The last row: all of them.',
    [tasks({ format: 'numeric', measures, groupBy: [by], total: true })],
    {
      w,
      overrides: [
        dashes,
        byType('string', { 'custom.minWidth': 134, ...(link && opens(link)) }),
        ...measures.map((name) => byName(name, { 'custom.width': { tasks: 66, processedItems: 96 }[name] ?? 74 })),
        byName('tasks', orIfZero('none yet')),
        byName('runTime', { 'custom.width': 116, ...lasting }),
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
      6,
      stat(
        1,
        'Savings',
        'The service’s sums of whole days back from now, and what parts of days at the ends can change. ROI: (savings − investment) ÷ investment.',
        [
          automations({
            ...ofAll,
            measures: ['savings', 'savings.margin', 'savings.change', 'roi', 'fte'],
            compare: '${compare}',
          }),
        ],
        {
          w: 10,
          link: theAutomations,
          defaults: { noValue: 'Savings: no answer' },
          transformations: [withoutSource],
          overrides: [
            byName('savings', { ...whole, ...orIfZero('None') }),
            byName('savings.margin', { ...whole, ...orIfZero('0 (exact)') }),
            byName('savings.change', { displayName: 'vs ${compare:text}', ...whole, ...missing('–', 'text') }),
            byName('roi', { displayName: 'ROI until now', ...missing('–', 'text') }),
            byName('fte', { displayName: 'FTE until now', decimals: 1, ...missing('–', 'text') }),
          ],
          options: { ...pair, text: { titleSize: 12, valueSize: 18 } },
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
          number: { ...whole, displayName: 'estimated', ...orIfZero('nothing') },
          link: { title: 'Show the automations', url: to(uid, { panel: 5 }) },
          options: { textMode: 'value_and_name', reduceOptions: { calcs: ['sum'], fields: '', values: false } },
        }
      ),
      stat(
        20,
        'Exact, from tasks',
        'Counted from the tasks created in the time range: tasks, the items that they processed, and how long they ran.',
        [tasks({ ...ofAll, measures: ['tasks', 'processedItems', 'runTime'] })],
        {
          link: theseTasks(),
          defaults: { noValue: 'Exact, from tasks: no answer' },
          transformations: [withoutSource],
          overrides: [
            byName('tasks', orIfZero('no tasks yet')),
            byName('processedItems', { displayName: 'processed items', ...missing('–', 'text') }),
            byName('runTime', { displayName: 'run time', ...lasting }),
          ],
          options: { ...pair, text: { titleSize: 12, valueSize: 18 } },
        }
      )
    ),
    line(
      10,
      table(
        8,
        'Savings by automation',
        'The service’s sums of whole days back from now. ROI of all is weighted by investment; it and FTE are only known until now.',
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
            byName('savings.margin', { displayName: '± at most', 'custom.width': 90, ...whole, ...orIfZero('exact') }),
            byName('roi', { 'custom.width': 70 }),
            byName('fte', { 'custom.width': 70 }),
          ],
          defaults: noAnswer,
        }
      ),
      table(
        12,
        'Savings by ${by:text}',
        'Savings of the automations of each ${by:text}, in whole days; bars are shares of all. At most 15.',
        [automations({ format: 'numeric', measure: 'savings', groupBy: ['${by}'], total: true, limit: 15 })],
        {
          defaults: noAnswer,
          overrides: [
            dashes,
            byType('string', {
              'custom.width': 130,
              ...opens({
                title: 'Show these automations',
                url: to('insights-automations', { filter: '${by}|=|${__value.raw:percentencode}' }),
              }),
            }),
            byName('savings', {
              ...whole,
              min: 0,
              color: fixed('semi-dark-green'),
              'custom.cellOptions': { type: 'gauge', mode: 'basic', valueDisplayMode: 'text' },
            }),
          ],
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
        'Savings per ${per:text} back from now',
        'Whole days back from now, not from midnight. The link shows what was recorded at midnight. Dashed: the target, if any.',
        [automations({ format: 'timeseries', measure: 'savings', per: '${per}' })],
        {
          interval: '5m',
          maxDataPoints: 30,
          options: { tooltip: { mode: 'multi', sort: 'none', hideZeros: true } },
          w: 11,
          links: [{ title: 'What was recorded at each midnight', url: to('insights-history') }],
          // Made of the savings, so that both have the same unit and share an axis.
          transformations: [
            copy('saved', 'savings'),
            calculate('target', '=${target}', '/', 'saved'),
            scaled('target'),
            without('saved', 'target', 'saved * target', 'target * target'),
          ],
          // A line that is always there, so that only a missing answer has none, would take "Zoom to data" away.
          defaults: { noValue: '–', ...stacked, color: fixed('semi-dark-green') },
          overrides: [byName('savings * target', { displayName: 'Target', color: fixed('text'), ...dashedLine })],
        }
      ),
      table(
        5,
        'Lost to failures by automation, from the service’s sums',
        'What the failed items would have saved: savings ÷ processed × failed items, by the service’s count of whole days back from now.',
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
            byName('label', { 'custom.minWidth': 140, ...opens(thisAutomation()) }),
            byName('savings', { 'custom.width': 85, ...whole }),
            byName(lostName, { displayName: 'Lost to failures', 'custom.width': 80, ...whole, ...summed }),
            byName('sumItemsProcessed', { 'custom.width': 98 }),
            byName('sumItemsError', { 'custom.width': 82 }),
          ],
        }
      )
    )
  ),
});
