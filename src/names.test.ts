import i18next from 'i18next';

import {
  CoreApp,
  createDataFrame,
  type DataFrame,
  type DataQueryRequest,
  fieldMatchers,
  FieldType,
  getFieldDisplayName,
  MappingType,
} from '@grafana/data';
import { initPluginTranslations } from '@grafana/i18n';

import { loadResources } from './loadResources';
import { withNames } from './names';
import pluginJson from './plugin.json';
import { type InsightsQuery } from './query';

type State = { key?: string; options?: object; fieldConfig?: object };

interface Scene {
  parent?: Scene;
  state: object;
  forEachChild?: (visit: (child: Scene) => void) => void;
}

/** A panel of a dashboard with its query runner, like those of @grafana/scenes. */
function panelWith(state: State, transformations: unknown[] = [], queries: unknown[] = []) {
  const panel: Scene = { state: { pluginId: 'table', ...state } };
  const data: Scene = { state: { transformations }, parent: panel };
  const runner: Scene = { state: { queries }, parent: data };
  panel.forEachChild = (visit) => visit(data);
  data.forEachChild = (visit) => visit(runner);
  return { panel, runner };
}

type Asker = Pick<DataQueryRequest, 'app' | 'scopedVars'>;

function asking(runner: Scene): Asker {
  return {
    app: CoreApp.Dashboard,
    scopedVars: { __sceneObject: { text: '', value: { valueOf: () => runner } } },
  };
}

const explore: Asker = { app: CoreApp.Explore, scopedVars: {} };
const saved = (state: State, transformations?: unknown[]) => asking(panelWith(state, transformations).runner);
const overrides = (id: string, options: unknown) => ({ fieldConfig: { overrides: [{ matcher: { id, options } }] } });
const organize = (options: object) => [{ id: 'organize', options }];

const rows: InsightsQuery = { refId: 'A', queryType: 'automations' };
const table = createDataFrame({
  refId: 'A',
  name: 'automations',
  fields: [
    { name: 'label', type: FieldType.string, values: ['refunds'] },
    { name: 'taskCount', type: FieldType.number, values: [3], config: { description: 'Tasks in the last N days' } },
    { name: 'sumItemsError', type: FieldType.number, values: [1] },
    { name: 'region', type: FieldType.string, values: ['south'] },
  ],
});

const custom = { valueNames: { field: 'label', names: { refunds: 'Customer refunds' } } };
const grouped: InsightsQuery = { ...rows, format: 'numeric', measure: 'savings', groupBy: ['label'] };
const wide = createDataFrame({
  refId: 'A',
  meta: { custom },
  fields: ['refunds', 'orders', ''].map((label) => ({
    name: 'savings',
    type: FieldType.number,
    labels: { label },
    values: [1],
    config: { displayNameFromDS: `${label || '(none)'} (last 24 h)` },
  })),
});
const long = createDataFrame({
  refId: 'A',
  meta: { custom },
  fields: [
    { name: 'label', type: FieldType.string, values: ['refunds', 'orders'] },
    { name: 'savings', type: FieldType.number, values: [1, 2], config: { displayNameFromDS: 'savings (last 24 h)' } },
  ],
});

function named(frames: DataFrame[], request: Asker, ...queries: InsightsQuery[]) {
  return withNames(frames, request, (refId) => queries.find((query) => query.refId === refId));
}

function called(frames: DataFrame[], request: Asker, ...queries: InsightsQuery[]) {
  const answer = named(frames, request, ...queries);
  return answer.flatMap((frame) => frame.fields.map((field) => getFieldDisplayName(field, frame, answer)));
}

const asBefore = ['label', 'taskCount', 'sumItemsError', 'region'];
const asPeopleSay = ['Automation', 'Tasks', 'Items in error', 'region'];

describe('columns', () => {
  it.each([
    ['Explore', explore],
    ['a new panel', saved({})],
  ])('of %s are called what people call them', (_, asker) => {
    expect(called([table], asker, rows)).toEqual(asPeopleSay);
  });

  it('keep the name of the API, which matchers find, and say it', () => {
    const [frame] = named([table], saved({}), rows);
    expect(frame.fields.map(({ name }) => name)).toEqual(asBefore);
    expect(frame.fields[1].config.description).toBe('taskCount · Tasks in the last N days');
    expect(fieldMatchers.get('byName').get('taskCount')(frame.fields[1], frame, [frame])).toBe(true);
  });

  it('are left alone where no panel asks: variables, annotations, libraries', () => {
    expect(called([table], { app: CoreApp.Dashboard, scopedVars: {} }, rows)).toEqual(asBefore);
  });

  it('are left alone in a frame of which no query is known', () => {
    expect(called([table], saved({}))).toEqual(asBefore);
  });

  it('are told apart where two data sets have measures of one name', () => {
    const frame = (refId: string, name: string) =>
      createDataFrame({ refId, name, fields: [{ name: 'tasks', type: FieldType.number, values: [1] }] });
    const number = (refId: string, queryType: 'tasks' | 'runners'): InsightsQuery => ({
      refId,
      queryType,
      format: 'numeric',
    });
    const frames = [frame('A', 'tasks'), frame('B', 'runners')];
    expect(called(frames, explore, number('A', 'tasks'), number('B', 'runners'))).toEqual([
      'Tasks · Tasks',
      'Tasks · Runners',
    ]);
    expect(called(frames.slice(0, 1), explore, number('A', 'tasks'))).toEqual(['Tasks']);
  });

  it('are told apart where two queries of a data set have them, by the names of the frames', () => {
    const frame = (refId: string, name: string) =>
      createDataFrame({ refId, name, fields: [{ name: 'taskCount', type: FieldType.number, values: [1] }] });
    const frames = [frame('A', 'automations (last 7 d)'), frame('B', 'automations (last 24 h)')];
    expect(called(frames, explore, rows, { ...rows, refId: 'B' })).toEqual([
      'automations (last 7 d) taskCount',
      'automations (last 24 h) taskCount',
    ]);
  });

  // A search for each series in all others would take longer than the limit of the test.
  it('are named in linear time', () => {
    const fields = Array.from({ length: 50_000 }, (_, number) => ({
      name: 'savings',
      type: FieldType.number,
      labels: { label: `key ${number}` },
      values: [1],
      config: { displayNameFromDS: `key ${number}` },
    }));
    const names = Object.fromEntries(fields.map(({ labels: { label } }) => [label, `Name of ${label}`]));
    const frame = createDataFrame({ refId: 'A', meta: { custom: { valueNames: { field: 'label', names } } }, fields });
    expect(named([frame], explore, grouped)[0].fields[49_999].config.displayNameFromDS).toBe('Name of key 49999');
  }, 30_000);
});

describe('a panel that was saved with the names of the API keeps them', () => {
  it.each([
    ['the order of a table', { options: { sortBy: [{ displayName: 'taskCount', desc: true }] } }, []],
    ['an expression', overrides('byRegexp', '/^task/'), []],
    ['an expression that would find more labels than names', overrides('byRegexp', '/t/i'), []],
    ['an override beside another data source', overrides('byName', 'automations taskCount'), []],
    ['an expression that says what it is not', overrides('byRegexp', '/^(?!task)/'), []],
    ['the fields of a Stat', { options: { reduceOptions: { fields: '/^taskCount$/' } } }, []],
    ['columns that are left out', {}, organize({ excludeByName: { taskCount: true } })],
    ['columns that are renamed to our words', {}, organize({ renameByName: { taskCount: 'Tasks' } })],
    ['a join', {}, [{ id: 'joinByField', options: { byField: 'label' } }]],
    ['groups', {}, [{ id: 'groupBy', options: { fields: { label: { operation: 'groupby' } } } }]],
    ['a sort', {}, [{ id: 'sortBy', options: { sort: [{ field: 'taskCount' }] } }]],
    ['a transformation that names nothing', {}, [{ id: 'limit', options: { limitField: 3 } }]],
  ])('in %s', (_, state, transformations) => {
    expect(called([table], saved(state, transformations), rows)).toEqual(asBefore);
  });

  it('in another panel, which shows what this one got', () => {
    const shown = panelWith({ key: 'panel-7' });
    const query = (panelId: number) => [{ datasource: { uid: '-- Dashboard --' }, panelId }];
    const sort = { options: { sortBy: [{ displayName: 'taskCount' }] } };
    const besides = (panelId: number) => {
      const other = panelWith({ key: 'panel-8', ...sort }, [], query(panelId));
      const root: Scene = { state: {} };
      root.forEachChild = (visit) => [shown.panel, other.panel].forEach(visit);
      shown.panel.parent = other.panel.parent = root;
      return called([table], asking(shown.runner), rows);
    };
    expect(besides(7)).toEqual(asBefore);
    expect(besides(9)).toEqual(asPeopleSay);
  });
});

describe('names that people use stay', () => {
  it.each([
    ['an override by the name of the API', overrides('byName', 'taskCount'), []],
    ['several of them', overrides('byNames', { names: ['taskCount', 'label'] }), []],
    ['a bar chart', { options: { xField: 'label' } }, []],
    ['an override by the new name', overrides('byName', 'Tasks'), []],
    ['an expression that finds both', overrides('byRegexp', '/.*/'), []],
    ['an expression for the new names', overrides('byRegexp', '/^Tasks$/'), []],
    ['columns that were left out with the new names in sight', {}, organize({ excludeByName: { Tasks: true } })],
    ['an override that finds other things', overrides('byType', 'number'), []],
    ['a pattern that is none', overrides('byRegexp', '/('), []],
  ])('with %s', (_, state, transformations) => {
    expect(called([table], saved(state, transformations), rows)).toEqual(asPeopleSay);
  });

  it('in the language in which they were saved', () => {
    const state = { options: { sortBy: [{ displayName: 'Itens com erro' }] } };
    expect(called([table], saved(state), rows)).toEqual(['Automation', 'Tasks', 'Itens com erro', 'region']);
  });
});

describe('automations', () => {
  it('are called by their names in series, which keep their labels', () => {
    expect(called([wide], explore, grouped)).toEqual([
      'Customer refunds (last 24 h)',
      'orders (last 24 h)',
      '(none) (last 24 h)',
    ]);
    expect(named([wide], explore, grouped)[0].fields[0].labels).toEqual({ label: 'refunds' });
  });

  it.each(['constructor', '__proto__'])('keep the key %s, which every object has as a property', (label) => {
    const field = { name: 'savings', type: FieldType.number, labels: { label }, values: [1] };
    const frame = createDataFrame({
      refId: 'A',
      meta: { custom },
      fields: [{ ...field, config: { displayNameFromDS: label } }],
    });
    expect(called([frame], explore, grouped)).toEqual([label]);
  });

  it('are called by their names in rows, which keep their values', () => {
    const [{ fields }] = named([long], saved({}), grouped);
    expect(fields[0].values).toEqual(['refunds', 'orders']);
    expect(fields[0].config.mappings).toEqual([
      { type: MappingType.ValueToText, options: { refunds: { text: 'Customer refunds', index: 0 } } },
    ]);
    expect(fields[1].config.displayNameFromDS).toBe('Savings (last 24 h)');
  });

  it('follow the value mappings of the panel, which Grafana ignores in fields that have mappings', () => {
    const own = { type: MappingType.ValueToText, options: { refunds: { text: 'R' } } };
    const state = { fieldConfig: { defaults: { mappings: [own] }, overrides: [] } };
    const [{ fields }] = named([long], saved(state), grouped);
    expect(fields[0].config.mappings).toEqual([
      own,
      { type: MappingType.ValueToText, options: { refunds: { text: 'Customer refunds', index: 0 } } },
    ]);
  });

  it('keep their keys in rows that another panel shows with value mappings', () => {
    const shown = panelWith({ key: 'panel-7' });
    const mappings = [{ type: MappingType.ValueToText, options: { refunds: { text: 'R' } } }];
    const query = { datasource: { uid: '-- Dashboard --' }, panelId: 7 };
    const other = panelWith({ key: 'panel-8', fieldConfig: { defaults: { mappings }, overrides: [] } }, [], [query]);
    shown.panel.parent = { state: {}, forEachChild: (visit) => visit(other.panel) };
    const [{ fields }] = named([long], asking(shown.runner), grouped);
    expect(fields[0].config.mappings).toBeUndefined();
  });

  it.each([
    ['an override of one series', overrides('byName', 'refunds (last 24 h)')],
    ['series that are hidden', overrides('byNames', { mode: 'exclude', names: ['orders', 'refunds (last 24 h)'] })],
  ])('keep their keys in series with %s', (_, state) => {
    expect(called([wide], saved(state), grouped)[0]).toBe('refunds (last 24 h)');
  });

  it('keep their keys in rows with an override of one row', () => {
    expect(named([long], saved(overrides('byName', 'refunds')), grouped)).toEqual([long]);
  });

  it.each(['${__field.displayName}', '${__series.name}', '${__data.fields.label:percentencode}', '${__value.text}'])(
    'keep their keys where %s passes them on',
    (macro) => {
      const state = { fieldConfig: { defaults: { links: [{ url: `/d/x?var-automation=${macro}` }] }, overrides: [] } };
      expect(called([wide], saved(state), grouped)[0]).toBe('refunds (last 24 h)');
      const [{ fields }] = named([long], saved(state), grouped);
      expect(fields[0].config.mappings).toBeUndefined();
      expect(fields[1].config.displayNameFromDS).toBe('Savings (last 24 h)');
    }
  );
});

it('calls a line by its measure, beside the time before', () => {
  const line = (displayNameFromDS: string, labels?: Record<string, string>) => ({
    name: 'failedTasks',
    type: FieldType.number,
    labels,
    values: [1],
    config: { displayNameFromDS },
  });
  const frame = createDataFrame({
    refId: 'A',
    fields: [line('failedTasks'), line('failedTasks (week before)', { compare: 'week' })],
  });
  const query: InsightsQuery = { refId: 'A', format: 'timeseries', measure: 'failedTasks', compare: 'week' };
  expect(called([frame], saved({}), query)).toEqual(['Failed tasks', 'Failed tasks (week before)']);
});

describe('in another language', () => {
  beforeAll(async () => {
    await i18next.init({ lng: 'pt-BR', resources: { 'pt-BR': { grafana: { save: 'OK' } } } });
    await initPluginTranslations(pluginJson.id, [loadResources]);
  });

  it('names and descriptions are of that language', () => {
    const [frame] = named([table], saved({}), rows);
    expect(called([table], saved({}), rows)).toEqual(['Automação', 'Tarefas', 'Itens com erro', 'region']);
    expect(frame.fields[1].config.description).toBe('taskCount · Tarefas nos últimos dias');
  });

  it('a panel that was saved in English is found', () => {
    const state = overrides('byName', 'Items in error');
    expect(called([table], saved(state), rows)).toEqual(['Automação', 'Tarefas', 'Items in error', 'region']);
  });

  it('the names of the API still count', () => {
    expect(called([table], saved(overrides('byName', 'taskCount')), rows)[1]).toBe('Tarefas');
    expect(called([table], saved({}, organize({ indexByName: { taskCount: 0 } })), rows)).toEqual(asBefore);
  });
});
