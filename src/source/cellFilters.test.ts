import { hasToggleableQueryFiltersSupport, type ToggleFilterAction } from '@grafana/data';

import { type InsightsQuery } from '../query/query';
import { dataSourceWith } from '../testing/datasource';

const { datasource } = dataSourceWith();
const failed = { key: 'finishStatus', value: 'FAILED' };
const filtered: InsightsQuery = { refId: 'A', filters: [{ ...failed, operator: '=' }] };

const toggle = (query: InsightsQuery, type: ToggleFilterAction['type'], options: Record<string, string> = failed) =>
  datasource.toggleQueryFilter(query, { type, options });

it('is what Explore looks for before it offers filters in a table', () => {
  expect(hasToggleableQueryFiltersSupport(datasource)).toBe(true);
  expect(datasource.modifyQuery).toBeDefined();
});

it('adds a filter for a value, and removes it', () => {
  const added = toggle({ refId: 'A' }, 'FILTER_FOR');
  expect(added).toEqual(filtered);
  expect(datasource.queryHasFilter(added, failed)).toBe(true);
  expect(toggle(added, 'FILTER_FOR')).toEqual({ refId: 'A' });
});

it('puts the opposite filter in the place of a filter', () => {
  const out = toggle(filtered, 'FILTER_OUT');
  expect(out.filters).toEqual([{ ...failed, operator: '!=' }]);
  expect(datasource.queryHasFilter(out, failed)).toBe(false);
});

it('keeps the other filters, and what cannot be read', () => {
  const query = { ...filtered, sort: 7 } as unknown as InsightsQuery;
  expect(toggle(query, 'FILTER_FOR', { key: 'state', value: '' })).toEqual({
    ...query,
    filters: [...filtered.filters!, { key: 'state', operator: '=', value: '' }],
  });
});

it.each<[string, InsightsQuery, string]>([
  [
    'a number of a result, which its rows do not have',
    { refId: 'A', format: 'numeric', measure: 'failedTasks' },
    'failedTasks',
  ],
  ['a column of what needs attention', { refId: 'A', format: 'attention' }, 'severity'],
  ['a field of another data set', { refId: 'A', queryType: 'runners' }, 'state'],
])('does not filter by %s', (_, query, key) => {
  expect(toggle(query, 'FILTER_FOR', { key, value: '1' })).toBe(query);
});

it('knows a filter in other types, and leaves it and all others as they are saved', () => {
  const saved = [{ key: 'totalItems', operator: '=', value: 0 }, 7];
  const query = { refId: 'A', filters: saved } as unknown as InsightsQuery;
  expect(datasource.queryHasFilter(query, { key: 'totalItems', value: '0' })).toBe(true);
  expect(toggle(query, 'FILTER_FOR', { key: 'totalItems', value: '0' }).filters).toEqual([7]);
  expect(toggle(query, 'FILTER_OUT', failed).filters).toEqual([...saved, { ...failed, operator: '!=' }]);
});

it('filters by a field that only the service knows', () => {
  expect(toggle({ refId: 'A' }, 'FILTER_FOR', { key: 'region', value: 'eu' }).filters).toHaveLength(1);
});

it.each([
  ['ADD_FILTER', [{ ...failed, operator: '=' }]],
  ['ADD_FILTER_OUT', [{ ...failed, operator: '!=' }]],
  ['ADD_STRING_FILTER', undefined],
])('understands the action %s of older versions, or leaves the query alone', (type, filters) => {
  expect(datasource.modifyQuery({ refId: 'A' }, { type, options: failed }).filters).toEqual(filters);
});
