import {
  automations,
  bars,
  byName,
  calculate,
  choice,
  copy,
  counted,
  dashboard,
  dashedLine,
  dashes,
  fields,
  fixed,
  inMenu,
  label,
  layout,
  line,
  lines,
  missing,
  noResult,
  only,
  opens,
  type Query,
  scaled,
  stacked,
  stat,
  table,
  thisAutomation,
  to,
  withGrowth,
  without,
} from './parts';

const uid = 'insights-business-value';

const unentered = '0 or – until the workspace has entered its costs.';

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

/** In a group, there is a field where nothing is known, too. */
const ofAll: Query = { format: 'numeric', groupBy: ['dataSource'] };

const orNone = {
  mappings: [...missing('–', 'text').mappings, { type: 'value', options: { 0: { text: 'None', index: 1 } } }],
};

const overTime = {
  interval: '5m',
  maxDataPoints: 30,
  options: { tooltip: { mode: 'multi', sort: 'none', hideZeros: true } },
};

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
      4,
      withGrowth(
        1,
        'Savings',
        `Savings of all automations, in the workspace’s currency, and the change from Compare with. ${unentered}`,
        automations({ format: 'numeric', measure: 'savings' }),
        { w: 8, link: theAutomations, value: { displayName: 'saved', ...orNone } }
      ),
      stat(
        11,
        'Lost to failures',
        'An estimate: savings ÷ processed items × failed items, added. A failed item is taken to be worth as much as a processed one.',
        [
          automations(
            { columns: ['label', 'savings', 'sumItemsProcessed', 'sumItemsError'] },
            { key: 'sumItemsProcessed', operator: '>', value: '0' }
          ),
        ],
        {
          w: 6,
          transformations: [...lost, only(lostName)],
          link: theAutomations,
          options: { reduceOptions: { calcs: ['sum'], fields: '', values: false } },
        }
      ),
      stat(
        2,
        'FTE',
        `Full-time equivalents: people that the automations stand in for. Known only up to now. ${unentered}`,
        [automations({ ...ofAll, measure: 'fte' })],
        { link: theAutomations, defaults: { displayName: 'FTE' }, number: { decimals: 1, ...orNone } }
      ),
      stat(
        3,
        'ROI',
        'Return on investment, (savings − investment) ÷ investment: mean of the automations that have one. Known only up to now.',
        [automations({ ...ofAll, measure: 'roi' }, { key: 'roi', operator: '!=|', values: ['', '0'] })],
        { link: theAutomations, defaults: { displayName: 'ROI' }, number: missing('–', 'text') }
      )
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
      lines(
        10,
        'Savings by automation over time',
        'Savings of each whole ${per} that the time range touches, of the six automations that saved most.',
        // Grafana's palette repeats its hues from the seventh on.
        [automations({ format: 'timeseries', measure: 'savings', groupBy: ['label'], limit: 6, per: '${per}' })],
        {
          ...overTime,
          link: thisAutomation(label('label')),
          defaults: { ...noResult, ...stacked },
        }
      )
    ),
    line(
      10,
      bars(
        5,
        'Savings by automation',
        'Automations with the highest savings, in whole days. At most 15.',
        [automations({ format: 'numeric', measure: 'savings', groupBy: ['label'], limit: 15 })],
        { link: thisAutomation(label('label')), defaults: { color: fixed('semi-dark-green') } }
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
        }
      )
    ),
    line(
      12,
      table(
        8,
        'All automations',
        'The service’s own totals, in whole days. FTE and ROI: only up to now. Lost to failures: savings ÷ processed × failed items.',
        [
          automations({
            columns: fields('label savings sumItemsProcessed sumItemsError taskCount roi fte repositoryLabel'),
            sort: { field: 'savings', order: 'desc' },
          }),
        ],
        {
          transformations: [
            ...lost,
            without(
              ...aids,
              ...[...aids, 'sumItemsProcessed', 'sumItemsError', 'taskCount', 'roi', 'fte'].map(timesShare)
            ),
          ],
          overrides: [
            dashes,
            byName('label', { 'custom.minWidth': 150, ...counted, ...opens(thisAutomation()) }),
            byName('savings', { 'custom.width': 95 }),
            byName(lostName, { displayName: 'Lost to failures', 'custom.width': 95 }),
            ...['taskCount', 'sumItemsProcessed', 'sumItemsError'].map((name) => byName(name, { 'custom.width': 95 })),
            byName('roi', { 'custom.width': 80 }),
            byName('fte', { 'custom.width': 80 }),
            byName('repositoryLabel', { 'custom.minWidth': 120 }),
          ],
        }
      )
    )
  ),
});
