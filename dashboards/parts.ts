import type { Aspect, Filter, InsightsQuery } from '../src/query/query';

// What the bundled dashboards consist of: variables, queries, panels, and links. Grafana's classic dashboard JSON has no
// published types for panel options of every supported version, so options are plain objects here.

const PLUGIN = 'insights-reporting-datasource';
const datasource = { type: PLUGIN, uid: '${datasource}' };

/** Where queries of the dashboard about several data sources go. */
export const workspaces = { type: PLUGIN, uid: '${workspaces}' };
/** Grafana's data source for queries to several: it sends each once for every value of a variable. */
export const mixed = { type: 'datasource', uid: '-- Mixed --' };

type Options = Record<string, unknown>;

/** A saved query. Where it has a fixed set of values, a dashboard variable is allowed as well. */
export type Query = Partial<Omit<InsightsQuery, 'compare' | 'per'>> & {
  compare?: string;
  per?: string;
};

interface Override {
  matcher: { id: string; options: unknown };
  properties: Array<{ id: string; value: unknown }>;
}

/** A link on a value or in a cell. */
export interface Link {
  title: string;
  url: string;
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: Query[];
  transformations?: Array<{ id: string; options: unknown; filter?: unknown }>;
  fieldConfig?: { defaults: Options; overrides: Override[] };
  options?: Options;
  /** Those of a collapsed row. */
  panels?: Panel[];
  [more: string]: unknown;
}

export interface Variable {
  type: string;
  name: string;
  label: string;
  description: string;
  [more: string]: unknown;
}

export interface Dashboard {
  /** What is replaced when the dashboard is imported. */
  __inputs?: Options[];
  id: null;
  uid: string;
  title: string;
  description: string;
  tags: string[];
  schemaVersion: number;
  time: { from: string; to: string };
  links: Array<{ type: string; tags: string[] } & Options>;
  annotations: { list: Options[] };
  templating: { list: Variable[] };
  panels: Panel[];
  [more: string]: unknown;
}

/* Queries */

const selected = (key: string, variable: string): Filter => ({ key, operator: '=|', values: [`\${${variable}}`] });

/** Tasks that have not started have no runner, so a selected runner must not hide them. */
const ofQueue = [selected('activityLabel', 'automation'), selected('repositoryLabel', 'repository')];
const ofTasks = [...ofQueue, selected('machineId', 'machine')];
const ofAutomations = [selected('label', 'automation'), ofQueue[1], ofTasks[2]];

/** Makes queries of a data set that follow the variables of the dashboard. */
const following =
  (queryType: Query['queryType'], selection: Filter[]) =>
  (query: Query, ...filters: Filter[]): Query => ({ queryType, ...query, filters: [...filters, ...selection] });

export const queued = following('tasks', ofQueue);
export const tasks = following('tasks', ofTasks);
export const automations = following('automations', ofAutomations);
export const runners = following('runners', [selected('_id', 'machine')]);

/** Names of fields, separated by spaces. */
export const fields = (names: string) => names.split(' ');

export const is = (key: string, value: string): Filter => ({ key, operator: '=', value });
export const isNot = (key: string, value: string): Filter => ({ key, operator: '!=', value });
export const hasRunner = isNot('machineId', '');
/** Tasks that a runner took in the last hour. */
export const inLastHour: Filter[] = [hasRunner, { key: 'dateStartRunning', operator: '>=', value: 'now-1h' }];

/* Links */

/** Every dashboard has these variables, so that a link from any of them to any other keeps what is selected. */
const shared = ['datasource', 'automation', 'repository', 'machine', 'compare', 'Filters'];

interface Target {
  /** The panel to show alone. */
  panel?: number;
  /** Values of variables, instead of those that are selected. */
  set?: Record<string, string>;
  /** A condition to add to the ad hoc filters, as in a URL. */
  filter?: string;
  /** A time range, instead of the present one. */
  range?: string;
}

/** Encodes a text, but for Grafana's variables in it, which encode their values. */
const encoded = (text: string) => encodeURIComponent(text).replace(/%24%7B.*?%7D/g, decodeURIComponent);

/** The address of a dashboard with the time range and the variables of the present one. */
export function to(uid: string, { panel, set = {}, filter, range = '${__url_time_range}' }: Target = {}): string {
  const kept = shared.filter((name) => !(name in set)).map((name) => `\${${name}:queryparam}`);
  const parameters = [
    ...(panel ? [`viewPanel=panel-${panel}`] : []),
    ...kept,
    ...Object.entries(set).map(([name, value]) => `var-${name}=${value}`),
    ...(filter ? [`var-Filters=${encoded(filter)}`] : []),
    range,
  ];
  return `/d/${uid}?${parameters.join('&')}`;
}

/**
 * The rows behind a number of tasks. They are in a dashboard of their own: where a link changes a variable and the panel
 * that is in view, Grafana can show that panel's previous rows.
 */
const toTasks = (target: Target): Link => ({ title: 'Show these tasks', url: to('insights-tasks', target) });

/** Of any outcome, if none is set: Grafana would keep the one that the dashboard had before. */
const tasksBy = ({ set, ...target }: Target) => toTasks({ set: { outcome: '$__all', ...set }, ...target });
export const theseTasks = (filter?: string) => tasksBy({ filter });

/** Those that failedTasks counts. A condition would also hide the others, with which that dashboard compares them. */
export const failedOf = (set: Record<string, string> = {}) => tasksBy({ set: { outcome: 'FAILED', ...set } });

/** Those behind a number of tasks that looks back so many days, whatever the time range. */
export const theseTasksOf = (days: number, filter: string) => tasksBy({ filter, range: `from=now-${days}d&to=now` });

export const thisAutomation = (value = '${__value.raw:percentencode}'): Link => ({
  title: 'Show this automation',
  url: to('insights-automations', { set: { automation: value } }),
});

/** The tasks of the automation in a row, of any runner: those that wait have none. */
export const tasksOf = (field: string) =>
  tasksBy({ set: { automation: `\${__data.fields.${field}:percentencode}`, machine: '$__all' } });

export const thisRunner = (value = '${__value.raw:percentencode}'): Link => ({
  title: 'Show this runner',
  url: to('insights-runners', { set: { machine: value } }),
});

/** The runner in a cell. Grafana has no cells without their column's link: of a task that has no runner, it opens all of them. */
export const runnerIfAny: Link = {
  title: 'Open Insights runners',
  url: thisRunner('').url.replace('var-machine=', '${__value.raw:customqueryparam:var-machine}'),
};

/** The value of a label of the series on which a link is. */
export const label = (name: string) => `\${__field.labels.${name}:percentencode}`;

/** A cell that is a link: the buttons that filter for its value would cover the text to click. */
export const opens = (...links: Link[]) => ({ links, filterable: false });

/* Fields */

const by =
  (id: string) =>
  (options: string, properties: Options): Override => ({
    matcher: { id, options },
    properties: Object.entries(properties).map(([name, value]) => ({ id: name, value })),
  });

export const byName = by('byName');
export const byQuery = by('byFrameRefID');
export const byType = by('byType');
export const byPattern = by('byRegexp');

/** Whatever decimals their field has. */
export const whole = { decimals: 0 };

export const fixed = (fixedColor: string) => ({ mode: 'fixed', fixedColor });

/** Colors from each of some values on; the first one is that of everything below. */
export function colored(first: string, ...steps: Array<[from: number, color: string]>) {
  return {
    color: { mode: 'thresholds' },
    thresholds: {
      mode: 'absolute',
      steps: [{ color: first, value: null }, ...steps.map(([value, color]) => ({ color, value }))],
    },
  };
}

/** The text for a missing value, if not that of its field, and its color. */
export const missing = (text?: string, color?: string) => ({
  mappings: [{ type: 'special', options: { match: 'null+nan', result: { text, color, index: 0 } } }],
});

/**
 * Grafana shows the same text for an empty result and for an error, with a mark that says which. So it is one text, which
 * claims neither, and is short enough for the narrowest panel.
 */
const noResult = { noValue: 'No result' };

/** What the backend says in the place of a number of a service that does not answer, whatever the panel says of a missing number. */
const isSilent = ({ format = 'table' }: Query) => ['numeric', 'attention'].includes(format);
const silent = byName('noAnswer', { mappings: null, color: fixed('text') });

/** Where each answer has a field, so that only a missing answer has none. */
export const noAnswer = { noValue: 'No answer' };

/** A duration, in the only notation of Grafana without English words: 1 d 01:12:04. */
export const lasting = { unit: 'dtdhms', ...whole };

/** Backgrounds of cells, in which text is readable in both themes. */
export const cell = { red: '#AD0317', orange: '#8A4B08', none: 'transparent' };
export const filled = { 'custom.cellOptions': { type: 'color-background', mode: 'basic' } };

export const filledAndWrapped = { 'custom.cellOptions': { ...filled['custom.cellOptions'], wrapText: true } };

/** A column that others need: what it is called changed with Grafana's versions. */
export const hidden = { 'custom.hidden': true, 'custom.hideFrom': { viz: true } };

/** The data source’s colors of severities, and none where nothing needs attention. */
export const onlyIfSevere = byName('severity', colored(cell.none, [1, 'yellow'], [2, 'orange'], [3, 'red']));

/** How good a success rate is, as the background of a cell. A missing one is not bad. */
export const rateCell = {
  ...filled,
  ...colored(cell.red, [0.7, cell.orange], [0.9, cell.none]),
  ...missing('–', cell.none),
};

/* Panels */

interface Shape {
  /** Properties of all numbers. Those of the defaults would apply to a missing result, too, and claim something of it. */
  number?: Options;
  /** The width in Grafana's 24 columns. */
  w?: number;
  defaults?: Options;
  overrides?: Override[];
  options?: Options;
  link?: Link;
  [more: string]: unknown;
}

/** A function that makes panels of a type. Layout sets their positions. */
const panel =
  (type: string, look: Pick<Shape, 'defaults' | 'options'>) =>
  (id: number, title: string, description: string, queries: Query[], shape: Shape = {}): Panel => {
    const { w = 0, number, defaults, overrides = [], options, link, ...more } = shape;
    return {
      id,
      type,
      title,
      description,
      datasource,
      gridPos: { x: 0, y: 0, w, h: 0 },
      ...more,
      targets: queries.map((query, index) => ({ refId: 'ABCDEFGH'[index], datasource, ...query })),
      fieldConfig: {
        defaults: { ...noResult, ...look.defaults, ...(link && { links: [link] }), ...defaults },
        overrides: [
          ...(number ? [byType('number', number)] : []),
          ...(type === 'stat' && queries.some(isSilent) ? [silent] : []),
          ...overrides,
        ],
      },
      options: { ...look.options, ...options },
    };
  };

const lastValue = { calcs: ['lastNotNull'], fields: '', values: false };

export const stat = panel('stat', {
  defaults: { color: fixed('text') },
  options: {
    reduceOptions: lastValue,
    colorMode: 'value',
    graphMode: 'none',
    textMode: 'value',
    wideLayout: true,
    text: { valueSize: 28, percentSize: 14 },
  },
});

/** Options of a Stat with two values, one below the other, each beside its name. */
export const pair = {
  textMode: 'value_and_name',
  orientation: 'horizontal',
  wideLayout: true,
  text: { titleSize: 11, valueSize: 16 },
};

export const table = panel('table', {
  defaults: { custom: { align: 'auto', inspect: false, wrapHeaderText: true } },
  options: { cellHeight: 'sm', showHeader: true },
});

/** A dash in empty cells. The defaults' text is that of a table without rows. */
export const dashes = byPattern('/.*/', { noValue: '–' });

const wrapped = { 'custom.cellOptions': { type: 'auto', wrapText: true } };

/**
 * Rows that need attention. The sentence that says why is never cut. It leads to the tasks that it is about, of the
 * automation or the runner in the row, whatever else is selected, and so does the name in the row: a page about the
 * automation as a whole can be all green. The column with their time
 * range, outcome, and filter is hidden.
 */
export function attention(group: string, variable: 'automation' | 'machine'): Override[] {
  const set = { automation: '$__all', machine: '$__all', [variable]: `\${__data.fields.${group}:percentencode}` };
  const about = opens(toTasks({ set, range: '${__data.fields.tasks:raw}' }));
  return [
    byName('machineId', { 'custom.width': 84 }),
    byName('activityLabel', { 'custom.width': 112, ...wrapped }),
    byName(group, about), // A cell with two links would open a menu.
    byName('why', { 'custom.minWidth': 115, ...wrapped, ...about }),
    byName('severity', { 'custom.width': 70, 'custom.align': 'left', ...filled }),
    byName('tasks', { ...hidden, noValue: '' }),
  ];
}

const footer = (reducer: string) => ({ 'custom.footer.reducers': [reducer] });

/** The sum of a column below it. */
export const summed = footer('sum');

/** The number of rows below a column. */
export const counted = footer('countAll');

const legend = { displayMode: 'list', placement: 'bottom', showLegend: true, calcs: [] };

export const lines = panel('timeseries', {
  defaults: { ...noAnswer, min: 0, custom: { lineWidth: 2, pointSize: 5, showPoints: 'auto', spanNulls: true } },
  options: { legend, tooltip: { mode: 'multi', sort: 'none' } },
});

/** Properties of a time series that make it bars, one upon the other. */
export const stacked = {
  custom: {
    drawStyle: 'bars',
    barAlignment: 1,
    barWidthFactor: 0.9,
    lineWidth: 0,
    fillOpacity: 80,
    stacking: { mode: 'normal', group: 'A' },
  },
};

export const dashed = { 'custom.lineStyle': { fill: 'dash', dash: [6, 4] } };

/** Turns one of some stacked bars into a dashed line. */
export const dashedLine = {
  'custom.drawStyle': 'line',
  'custom.lineWidth': 2,
  'custom.fillOpacity': 0,
  'custom.stacking': { mode: 'none' },
  ...dashed,
};

export const timeline = panel('state-timeline', {
  defaults: { ...noAnswer, custom: { fillOpacity: 80, lineWidth: 0 } },
  options: {
    mergeValues: false,
    rowHeight: 0.8,
    showValue: 'auto',
    alignValue: 'left',
    legend,
    tooltip: { mode: 'single', sort: 'none' },
  },
});

export const history = panel('status-history', {
  defaults: { ...noAnswer, min: 0, max: 1, custom: { fillOpacity: 90, lineWidth: 0 } },
  options: {
    showValue: 'never',
    rowHeight: 0.9,
    colWidth: 0.95,
    legend,
    tooltip: { mode: 'single', sort: 'none' },
  },
});

/* Transformations */

// The displayed names of fields follow the data source's setting Names. Grafana's calculations know no others, so they
// calculate with copies. Whatever else is here finds fields by their names in the API as well.

const ofQuery = (refId?: string) => refId && { filter: { id: 'byRefId', options: refId } };

/** Adds a copy of a field, for calculations. */
export const copy = (alias: string, field: string, refId?: string) => reduceRow(alias, 'last', [field], refId);

function reduceRow(alias: string, reducer: string, include: string[], refId?: string) {
  return {
    id: 'calculateField',
    ...ofQuery(refId),
    options: { mode: 'reduceRow', alias, reduce: { reducer, include }, replaceFields: false },
  };
}

/** Adds the first of some fields that is not null. */
export const firstOf = (alias: string, ...names: string[]) => reduceRow(alias, 'firstNotNull', names);

/** What a calculation takes: a copy, the result of another calculation, or a fixed value, as in '=100'. */
const operand = (name: string) =>
  name.startsWith('=') ? { fixed: name.slice(1) } : { matcher: { id: 'byName', options: name } };
const binary = (more: object, refId?: string) => ({
  id: 'calculateField',
  ...ofQuery(refId),
  options: { mode: 'binary', replaceFields: false, ...more },
});

/** Adds the result of a calculation. */
export const calculate = (
  alias: string,
  left: string,
  operator: '+' | '-' | '*' | '/',
  right: string,
  refId?: string
) => binary({ alias, binary: { left: operand(left), operator, right: operand(right) } }, refId);

/**
 * Adds each number multiplied by another one. What is calculated of all numbers keeps the units of the data source, as the
 * currency, in a field whose name is the calculation: 'savings * share'.
 */
export const scaled = (by: string) =>
  binary({ binary: { left: { matcher: { id: 'byType', options: 'number' } }, operator: '*', right: operand(by) } });

/** Joins the rows of queries, each a letter. A frame without rows is left out: the table would get its columns. */
export const join = (byField: string, refIds: string) => [
  // What is done to a single query moves it to the front, so the last one comes first.
  ...[...refIds]
    .reverse()
    .flatMap((refId) => [
      calculate('any', '=1', '*', '=1', refId),
      { id: 'partitionByValues', ...ofQuery(refId), options: { fields: ['any'], naming: { asLabels: false } } },
    ]),
  { id: 'joinByField', options: { byField, mode: 'outerTabular' } },
];

/** Sorts rows by a time, and those without it last, in the order that they have, which a join doesn't keep. It needs hidden aids. */
export const ascending = (field: string) => [
  calculate('never', '=9e15', '*', '=1'),
  firstOf('order', field, 'never'),
  { id: 'sortBy', options: { sort: [{ field: 'order' }] } },
];

/** Keeps the rows with a number below a limit. The copy of it, by which they are found, is to be hidden. */
export function below(alias: string, field: string, value: number) {
  const filters = [{ fieldName: alias, config: { id: 'lower', options: { value } } }];
  return [copy(alias, field), { id: 'filterByValue', options: { type: 'include', match: 'all', filters } }];
}

export const without = (...names: string[]) => ({ id: 'filterFieldsByName', options: { exclude: { names } } });

export const only = (...names: string[]) => ({ id: 'filterFieldsByName', options: { include: { names } } });

const reduced = (refId: string, reducer: string) => ({
  id: 'reduce',
  ...ofQuery(refId),
  options: { mode: 'reduceFields', reducers: [reducer] },
});

/** The number of different values of a query's only field. */
export const distinct = (refId: string) => reduced(refId, 'distinctCount');

/** Makes the number of rows of a query the maximum of all other numbers. */
export const upTo = (refId: string) => [
  reduced(refId, 'count'),
  { id: 'renameByRegex', ...ofQuery(refId), options: { regex: '/.*/', renamePattern: 'max' } },
  { id: 'configFromData', options: { configRefId: refId, mappings: [] } },
];

/** A table of numbers by two fields. The number is the only one of the rows. */
export const matrix = (rowField: string, columnField: string, emptyValue: string, refId?: string) => [
  reduceRow('number', 'sum', [], refId),
  { id: 'groupingToMatrix', ...ofQuery(refId), options: { columnField, rowField, valueField: 'number', emptyValue } },
];

/* Comparisons */

interface Compared extends Shape {
  /** Properties of the number. */
  value?: Options;
  /** Properties of what the comparison says. */
  change?: Options;
}

/**
 * A number, and what the comparison with the time that Compare with selects says of it. A number of no rows has no field, which
 * looks like a missing answer: that of a group has one.
 */
const besideAspect =
  (aspect: Aspect, properties: Options) =>
  (id: number, title: string, description: string, query: Query, { value, change, ...shape }: Compared) => {
    const { measure = '', ...asked } = query;
    const measures = [measure, `${measure}.${aspect}`];
    return stat(id, title, description, [{ ...asked, measures, groupBy: ['dataSource'], compare: '${compare}' }], {
      ...shape,
      // The mark of an error may leave no room for the title.
      defaults: { noValue: `${title}: no answer` },
      overrides: [
        byName(measure, { ...missing('no tasks yet', 'text'), ...value }),
        byName('noAnswer', { displayName: value?.displayName }),
        byName(measures[1], { ...properties, ...change, ...missing('–', 'text') }),
      ],
      options: pair,
    });
  };

/** The change as a share of the earlier number. */
export const withGrowth = besideAspect('change', { displayName: 'vs ${compare:text}', decimals: 0 });

/** The difference from the earlier number. As a share, one failure more than one would be 100 %. */
export const withDifference = besideAspect('difference', { displayName: 'vs ${compare:text}' });

/** The difference of shares in percentage points: 87.2 % is 2.4 points less than 89.6 %, which is no share of anything. */
export const withPoints = besideAspect('difference', { displayName: '± points', decimals: 1 });

/* Layout */

/** A line of panels of the same height, or a row with a title. */
type Line = { height: number; panels: Panel[] } | Panel;

/** Columns beside each other, each of lines of panels that have widths. */
export function sideBySide(...columns: Line[][]): Line {
  let x = 0;
  const panels = columns.flatMap((lines) => {
    const own = layout(...lines).map((one) => ({ ...one, gridPos: { ...one.gridPos, x: one.gridPos.x + x } }));
    x = Math.max(...own.map(({ gridPos }) => gridPos.x + gridPos.w));
    return own;
  });
  return { height: Math.max(...panels.map(({ gridPos }) => gridPos.y + gridPos.h)), panels };
}

/** Panels without a width share the rest of Grafana's 24 columns. */
export function line(height: number, ...panels: Panel[]): Line {
  let free = panels.filter(({ gridPos }) => gridPos.w === 0).length;
  let rest = 24 - panels.reduce((sum, { gridPos }) => sum + gridPos.w, 0);
  let x = 0;
  const placed = panels.map((one) => {
    const w = one.gridPos.w || Math.ceil(rest / free--);
    rest -= one.gridPos.w ? 0 : w;
    x += w;
    return { ...one, gridPos: { x: x - w, y: 0, w, h: height } };
  });
  return { height, panels: placed };
}

export const row = (id: number, title: string): Panel => ({
  id,
  type: 'row',
  title,
  gridPos: { x: 0, y: 0, w: 24, h: 1 },
  collapsed: false,
  panels: [],
});

/** Puts lines of panels below each other. */
export function layout(...lines: Line[]): Panel[] {
  let y = 0;
  return lines.flatMap((one) => {
    const { height, panels } =
      'height' in one ? (one as { height: number; panels: Panel[] }) : { height: 1, panels: [one] };
    const top = y;
    y += height;
    return panels.map((panel) => ({ ...panel, gridPos: { ...panel.gridPos, y: top + panel.gridPos.y } }));
  });
}

/* Dashboards */

/** Shown in Grafana's menu of controls, which leaves the first screen of a phone to the panels. */
export const inMenu = { hide: 3 };

const list = (name: string, text: string, description: string, queryType: string, field: string): Variable => ({
  type: 'query',
  name,
  label: text,
  description,
  datasource,
  query: { refId: 'variable', queryType, field, days: 30 },
  refresh: 1,
  sort: 0,
  multi: true,
  includeAll: true,
  current: { text: ['All'], value: ['$__all'] },
});

/** A variable with fixed values, by which text each is shown. */
export function choice(
  name: string,
  text: string,
  description: string,
  values: Record<string, string>,
  value: string
): Variable {
  return {
    type: 'custom',
    name,
    label: text,
    description,
    query: Object.entries(values)
      .map((entry) => entry.reverse().join(' : '))
      .join(','),
    current: { text: values[value], value },
  };
}

const comparisons = {
  previous: 'previous period',
  day: 'previous day',
  week: 'previous week',
  month: 'previous month',
  year: 'previous year',
};

/** The tag of dashboards that have a meaning for any time range. */
const anyRange = 'insights-any-range';

const ownLink = { includeVars: true, targetBlank: false, icon: 'external link' };
const toValue = {
  ...ownLink,
  type: 'link',
  title: 'Value',
  tags: [],
  keepTime: false,
  tooltip: 'What the automations are worth, in its own time range',
  url: '/d/insights-business-value',
};

interface Frame {
  uid: string;
  title: string;
  description: string;
  from: string;
  refresh?: string;
  /** Whether it is about whole days, so that the time range of another dashboard has no meaning here, or its own there. */
  ofDays?: boolean;
  variables?: Variable[];
  panels: Panel[];
  [more: string]: unknown;
}

interface Contents extends Frame {
  /** The comparison to start with. */
  compare: keyof typeof comparisons;
}

/** A dashboard with the variables that it names. */
export function bare({ from, ofDays = false, variables = [], ...frame }: Frame): Dashboard {
  return {
    id: null,
    tags: ['insights', ...(ofDays ? [] : [anyRange])],
    schemaVersion: 42,
    version: 1,
    editable: true,
    graphTooltip: 1,
    time: { from, to: 'now' },
    timezone: 'browser',
    links: [
      {
        ...ownLink,
        type: 'dashboards',
        title: 'Insights',
        tags: ['insights', anyRange],
        asDropdown: true,
        keepTime: !ofDays,
        tooltip: 'The other Insights dashboards',
        url: '',
      },
      ...(ofDays ? [] : [toValue]),
    ],
    annotations: { list: [] },
    templating: { list: variables },
    ...frame,
  };
}

/** The variable of what changes are compared with. */
export const comparedWith = (compare: keyof typeof comparisons): Variable => ({
  ...choice(
    'compare',
    'Compare with',
    'The time that changes are from. The previous week compares each day with the same weekday',
    comparisons,
    compare
  ),
  ...inMenu,
});

/** A dashboard of one data source, with the variables that all of these share. */
export const dashboard = ({ compare, variables = [], ...frame }: Contents): Dashboard =>
  bare({
    ...frame,
    variables: [
      {
        type: 'datasource',
        name: 'datasource',
        label: 'Data source',
        description: 'Insights data source that every panel queries',
        query: PLUGIN,
        refresh: 1,
        current: {},
        ...inMenu,
      },
      list('automation', 'Automation', 'Automations to show; All filters nothing', 'automations', 'label'),
      list(
        'machine',
        'Runner',
        'Runners to show; All filters nothing, and keeps tasks that have no runner yet',
        'runners',
        '_id'
      ),
      comparedWith(compare),
      ...variables,
      {
        ...list(
          'repository',
          'Repository',
          'Repositories to show; All filters nothing',
          'automations',
          'repositoryLabel'
        ),
        ...inMenu,
      },
      {
        type: 'adhoc',
        name: 'Filters',
        label: 'Filters',
        description: 'Conditions on any field. A panel whose rows do not have the field is not filtered',
        datasource,
        filters: [],
      },
    ],
  });
