import '../testing/dom';
import { screen } from '@testing-library/react';
import { isEqual } from 'lodash';

import { AnnotationEditor } from '../editor/AnnotationEditor';
import { QueryEditor } from '../editor/QueryEditor';
import { VariableEditor } from '../editor/VariableEditor';
import { partNames } from './parts';
import { type InsightsQuery } from './query';
import { listOf, shownFilter, shownQuery } from './shown';
import { selectors } from '../selectors';
import { dataSourceWith } from '../testing/datasource';
import { choose, edit } from '../testing/editing';
import { pick, randomNumbers } from '../testing/random';

const queryWith = (parts: object) => ({ refId: 'A', ...parts }) as InsightsQuery;

function shown(parts: object) {
  const { refId, ...rest } = shownQuery(queryWith(parts));
  return rest;
}

describe('a saved query', () => {
  const equal = { key: 'state', operator: '=', value: 'START' };
  const oneOf = { key: 'state', operator: '=|', values: ['START', 'RUNNING'] };

  it.each<[string, object, object]>([
    ['a sort without an order', { sort: { field: 'items' } }, { sort: { field: 'items', order: 'asc' } }],
    ['a sort as a text', { sort: 'items,desc' }, { sort: { field: 'items', order: 'desc' } }],
    ['nothing', { days: null, filters: null, sort: {}, columns: [], groupBy: [], search: '', format: null }, {}],
    ['one of a list', { columns: 'id', filters: equal }, { columns: ['id'], filters: [equal] }],
    ['a number for a text', { search: 7, measure: 3 }, { search: '7', measure: '3' }],
    ['a text for a number', { days: '7', limit: 'ten' }, { days: '7', limit: 'ten' }],
    [
      'anything else',
      { groupBy: { by: 'state' }, columns: [null, true] },
      { groupBy: ['{"by":"state"}'], columns: ['', 'true'] },
    ],
    ['one to ignore', { attention: { ignore: 'x', slow: 0 } }, { attention: { ignore: ['x'], slow: 0 } }],
    ['no attention', { attention: 'failing' }, {}],
  ])('is shown: %s', (_, saved, expected) => {
    expect(shown(saved)).toEqual(expected);
  });

  it.each<[object, object]>([
    [
      { ...equal, operator: '=|' },
      { ...oneOf, values: ['START'] },
    ],
    [{ ...oneOf, operator: '=' }, oneOf],
    [
      { ...equal, value: '' },
      { ...equal, value: '' },
    ],
    [
      { ...equal, value: 0 },
      { ...equal, value: '0' },
    ],
    [
      { ...oneOf, values: ['a', 2] },
      { ...oneOf, values: ['a', '2'] },
    ],
    [{ key: 'state' }, { key: 'state', operator: '' }],
  ])('has its filter shown as the backend reads it: %j', (saved, expected) => {
    expect(shownFilter(saved)).toEqual(expected);
  });

  it.each<object>([
    { queryType: 'robots', format: 'chart', sort: { field: 'items', order: 'up' } },
    { days: -1, limit: 1.5 },
    { filters: [{ key: 'state', operator: '$operator', values: ['START', 'RUNNING'] }] },
    { attention: { sensitivity: 'nervous', failing: '$off', ignore: ['$automation'] } },
    { refId: 'B', hide: true },
  ])('is left to the backend to judge, or to variables: %j', (saved) => {
    expect(shownQuery(queryWith(saved))).toEqual({ refId: 'A', ...saved });
  });

  it.each(['a text', null, [1]])('is nothing where another data source saved %j', (saved) => {
    expect(shownQuery(saved as never)).toEqual({});
  });
});

describe('an editor', () => {
  const odd = {
    groupBy: 'state',
    filters: [{ key: 'totalItems', operator: '>', value: 0 }],
    sort: 'tasks,desc',
    limit: '5',
  };
  const saved = { ...odd, format: 'numeric', measure: 'tasks', attention: 'failing' } as never;

  it('shows other types as the backend reads them, and saves only what is changed', async () => {
    const { user, changes, saved: result } = edit(QueryEditor, saved);
    await user.click(screen.getByTestId(selectors.query.more));
    expect(screen.getByText('State')).toBeInTheDocument();
    expect(screen.getByTestId(selectors.query.filterValue(0))).toHaveValue('0');
    expect(screen.getByTestId(selectors.query.sort)).toHaveValue('Tasks');
    expect(screen.getByTestId(selectors.query.limit)).toHaveValue('5');
    expect(changes).toEqual([]);
    await user.type(screen.getByTestId(selectors.query.days), '3{Enter}');
    expect(result.query).toEqual({ refId: 'A', ...(saved as object), days: 3 });
    await user.click(screen.getByTestId(selectors.query.filterAdd));
    await choose(user, screen.getByTestId(selectors.query.filterField(1)), 'state');
    await user.type(screen.getByTestId(selectors.query.filterValue(1)), 'START{Enter}');
    const added = { key: 'state', operator: '=', value: 'START' };
    expect(result.query).toEqual({ refId: 'A', ...(saved as object), days: 3, filters: [odd.filters[0], added] });
  });

  it('replaces all of it with a starter query', async () => {
    const { user, saved: result } = edit(QueryEditor, saved);
    await user.click(screen.getByTestId(selectors.query.presets));
    await user.click(await screen.findByText('Due today', { selector: 'button *' }));
    expect(result.query).toEqual({ refId: 'A', queryType: 'tasks', format: 'deadlines' });
  });
});

describe('any JSON value in any property', () => {
  const scalars = [
    null,
    true,
    false,
    0,
    -1,
    7,
    1.5,
    '',
    'tasks',
    'timeseries',
    'state',
    'items,desc',
    '$one',
    '${many}',
    '7',
  ];

  function anything(random: () => number, depth = 2): unknown {
    const size = Math.floor(random() * 3);
    const inner = () => anything(random, depth - 1);
    const names = ['field', 'order', 'key', 'operator', 'value', 'values', 'other'];
    return pick<() => unknown>(random, [
      () => pick(random, scalars),
      () => (depth > 0 ? Array.from({ length: size }, inner) : 7),
      () => (depth > 0 ? Object.fromEntries(names.filter(() => random() < 0.4).map((name) => [name, inner()])) : 'x'),
    ])();
  }

  /** Two properties that can be anything, in a query that is otherwise valid. */
  function anyQuery(seed: number) {
    const random = randomNumbers(seed);
    const format = pick(random, [undefined, 'numeric', 'timeseries', 'timeline']);
    const parts = [0, 1].map(() => [pick(random, [...partNames, 'field']), anything(random)]);
    return queryWith({ queryType: pick(random, ['tasks', 'runners']), format, ...Object.fromEntries(parts) });
  }

  const variables = { one: { value: 'state' }, many: { value: ['a', 'b'] } };

  it('is sent as it was saved if it has no variable, for the backend to read', () => {
    const { datasource } = dataSourceWith([], variables);
    const adHoc = { key: 'dataSource', operator: '=', value: 'START' };
    const wrong: object[] = [];
    for (let seed = 1; seed <= 5000; seed++) {
      const saved = anyQuery(seed);
      const sent = datasource.applyTemplateVariables(saved, {}, [adHoc]);
      const hasSeveral = JSON.stringify(saved.search)?.includes('many'); // which become a filter
      const filters = hasSeveral ? sent.filters : [...listOf(saved.filters), adHoc];
      // Jest's matchers would take most of the time.
      const changed = Object.entries({ ...saved, filters }).filter(
        ([name, value]) =>
          !/\$(one|\{many)/.test(JSON.stringify(value)) && !isEqual(sent[name as keyof InsightsQuery], value)
      );
      const shown = shownQuery(saved);
      if (changed.length > 0 || !isEqual(shownQuery(shown), shown)) {
        wrong.push({ saved, sent, shown });
      }
      expect(typeof datasource.getQueryDisplayText(saved)).toBe('string');
      datasource.annotations?.processEvents?.({ target: saved } as never, []);
    }
    expect(wrong).toEqual([]);
  });

  it.each(Array.from({ length: 40 }, (_, seed) => seed + 1))('does not break an editor (seed %d)', async (seed) => {
    const saved = anyQuery(seed);
    const Editor = pick(randomNumbers(seed), [QueryEditor, AnnotationEditor, VariableEditor]) as typeof QueryEditor;
    const { user, changes } = edit(Editor, saved);
    const more = screen.queryByTestId(selectors.query.more);
    await (more && user.click(more));
    expect(changes).toEqual([]);
  });
});
