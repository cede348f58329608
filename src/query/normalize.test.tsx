import '../testing/dom';
import { screen } from '@testing-library/react';
import { isEqual } from 'lodash';

import { AnnotationEditor } from '../editor/AnnotationEditor';
import { QueryEditor } from '../editor/QueryEditor';
import { VariableEditor } from '../editor/VariableEditor';
import { normalize } from './normalize';
import { partNames } from './parts';
import { type InsightsQuery, isEmpty } from './query';
import { selectors } from '../selectors';
import { dataSourceWith } from '../testing/datasource';
import { edit } from '../testing/editing';
import { pick, randomNumbers } from '../testing/random';

const queryWith = (parts: object) => ({ refId: 'A', ...parts }) as InsightsQuery;

function read(parts: object) {
  const { query, invalid } = normalize(queryWith(parts));
  const { refId, ...rest } = query;
  return { ...rest, ...(!isEmpty(invalid) && { invalid }) };
}

describe('a saved query', () => {
  const equal = { key: 'state', operator: '=', value: 'START' };
  const oneOf = { key: 'state', operator: '=|', values: ['START', 'RUNNING'] };

  it.each<[string, object, object]>([
    ['a sort without an order', { sort: { field: 'items' } }, { sort: { field: 'items', order: 'asc' } }],
    ['nothing', { days: null, filters: null, sort: {}, columns: [], groupBy: [], search: '', format: null }, {}],
    [
      'a value where values belong',
      { filters: [{ ...equal, operator: '=|' }] },
      { filters: [{ ...oneOf, values: ['START'] }] },
    ],
    ['values where a value belongs', { filters: [{ ...oneOf, operator: '=' }] }, { filters: [oneOf] }],
    ['no value', { filters: [{ ...equal, value: '' }] }, { filters: [{ ...equal, value: '' }] }],
  ])('is read: %s', (_, saved, meant) => {
    expect(read(saved)).toEqual(meant);
  });

  it.each<object>([
    { queryType: 'robots', format: 'chart', sort: { field: 'items', order: 'up' } },
    { days: -1, limit: 1.5 },
    { filters: [{ key: 'state', operator: '$operator', values: ['START', 'RUNNING'] }] },
    { attention: { sensitivity: 'nervous', failing: '$off', successRate: 0.9, silent: 0, ignore: ['$automation'] } },
    { attention: { failing: 3, stuck: 3 } },
  ])('is left to the backend to judge, or to variables: %j', (saved) => {
    expect(read(saved)).toEqual(saved);
  });

  it.each<object>([
    { sort: 'items,desc', days: '7', limit: false },
    { columns: 'id', filters: equal, search: 7 },
    { filters: [{ ...equal, value: 5 }] },
    { filters: [{ ...oneOf, values: ['a', null] }] },
    { attention: ['failing'] },
    { attention: { ignore: 'x' } },
  ])('is refused in other types, as by the backend: %j', (saved) => {
    expect(read(saved)).toEqual({ invalid: saved });
  });

  it('keeps other properties, and reads what was read once more', () => {
    const { query } = normalize(queryWith({ hide: true, sort: { field: 'items' }, filters: [oneOf] }));
    expect(query).toEqual({ refId: 'A', hide: true, sort: { field: 'items', order: 'asc' }, filters: [oneOf] });
    expect(normalize(query)).toEqual({ query, invalid: {} });
  });

  it.each(['a text', null, [1]])('is nothing where another data source saved %j', (saved) => {
    expect(normalize(saved as never)).toEqual({ query: {}, invalid: {} });
  });
});

describe('in the editor, what cannot be read', () => {
  const saved = { sort: 7, groupBy: { by: 'state' }, format: 'numeric', measure: 'tasks' } as never;

  it('is named, and stays until it is set', async () => {
    const { user, saved: result } = edit(QueryEditor, saved);
    expect(screen.getByTestId(selectors.query.invalid)).toHaveTextContent(
      'Invalid query: groupBy: {"by":"state"}, sort: 7'
    );
    await user.click(screen.getByTestId(selectors.query.more));
    await user.type(screen.getByTestId(selectors.query.days), '3{Enter}');
    expect(result.query).toEqual({ refId: 'A', ...(saved as object), days: 3 });
  });

  it.each([QueryEditor, AnnotationEditor, VariableEditor])('is removed on request', async (Editor) => {
    const { user, saved: result } = edit(Editor as typeof QueryEditor, { days: 3, filters: [7] as never });
    await user.click(screen.getByRole('button', { name: 'Remove' }));
    expect(result.query).toEqual({ refId: 'A', days: 3 });
    expect(screen.queryByTestId(selectors.query.invalid)).not.toBeInTheDocument();
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

  it('is sent as it is meant, or as it was saved, for the backend to report', () => {
    const { datasource } = dataSourceWith([], variables);
    for (let seed = 1; seed <= 5000; seed++) {
      const saved = anyQuery(seed);
      const { query, invalid } = normalize(saved);
      const sent = datasource.applyTemplateVariables(saved, {}, [{ key: 'state', operator: '=', value: 'START' }]);
      // Nothing is lost: what is not sent as saved has been read, and what has been read can be read again.
      expect(sent).toMatchObject(invalid);
      expect(normalize(query)).toEqual({ query, invalid: {} });
      for (const [name, value] of Object.entries(saved)) {
        const isKept = isEmpty(value) || name in query || isEqual(sent[name as keyof InsightsQuery], value);
        expect({ saved, name, isKept }).toEqual({ saved, name, isKept: true });
      }
      expect(typeof datasource.getQueryDisplayText(saved)).toBe('string');
      expect(() => datasource.annotations?.processEvents?.({ target: saved } as never, [])).not.toThrow();
    }
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
