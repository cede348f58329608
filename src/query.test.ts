import { cloneDeep } from 'lodash';

import { CoreApp } from '@grafana/data';

import { defaultQuery, type InsightsQuery, isNewQuery, isUntouched, newRule, withFirst, withParts } from './query';

describe('defaultQuery', () => {
  it.each([CoreApp.UnifiedAlerting, CoreApp.CloudAlerting])(
    'contains nothing that a saved rule would show (%s)',
    (app) => {
      expect(defaultQuery(app)).toEqual({});
    }
  );

  it.each([CoreApp.Explore, CoreApp.Dashboard, CoreApp.PanelEditor, undefined])('reads tasks elsewhere (%s)', (app) => {
    expect({ ...defaultQuery(app), refId: 'A' }).toMatchObject({ refId: 'A', queryType: 'tasks' });
  });

  it('contains nothing that would change a saved table of tasks, under which Grafana applies it', () => {
    const saved = { refId: 'A', queryType: 'tasks' };
    expect(JSON.parse(JSON.stringify({ ...defaultQuery(CoreApp.PanelEditor), ...saved }))).toEqual(saved);
  });
});

describe('isNewQuery', () => {
  const made: InsightsQuery = { ...defaultQuery(CoreApp.PanelEditor), refId: 'A' };

  it('recognizes the query that Grafana created for a panel, and its copies', () => {
    expect(isNewQuery(made)).toBe(true);
    expect(isNewQuery(cloneDeep({ ...made, datasource: { uid: 'x' } }))).toBe(true);
  });

  it.each<[string, InsightsQuery]>([
    ['was saved', JSON.parse(JSON.stringify(made))],
    ['says something', withParts(made, { days: 3 })],
    ['has another data set', withParts(made, { queryType: 'runners' })],
    ['is not new any more', withFirst(made, { queryType: 'tasks' })],
    ['is in Explore', { ...defaultQuery(CoreApp.Explore), refId: 'A' }],
    ['has no app', { refId: 'A' }],
  ])('does not recognize one that %s', (_, query) => {
    expect(isNewQuery(query)).toBe(false);
  });
});

describe('isUntouched', () => {
  const fresh = { refId: 'A', datasource: { uid: 'x' }, hide: false, intervalMs: 1000, maxDataPoints: 43200 };

  it('recognizes a query to which only Grafana has added properties', () => {
    expect(isUntouched(fresh)).toBe(true);
  });

  it.each(Object.entries({ ...newRule, limit: 1, timeField: 'dateCreation', search: 'a', columns: ['id'] }))(
    'recognizes one with its own %s',
    (name, value) => {
      expect(isUntouched({ ...fresh, [name]: value })).toBe(false);
    }
  );
});

describe('withParts', () => {
  const query: InsightsQuery = { refId: 'A', queryType: 'runners', days: 7, columns: ['tasks'] };

  it('sets parts and keeps the others', () => {
    expect(withParts(query, { limit: 5 })).toEqual({ ...query, limit: 5 });
  });

  it.each([undefined, ''])('removes a text that is %p', (search) => {
    expect(withParts({ ...query, search: 'x' }, { search })).toStrictEqual(query);
  });

  it('removes an empty list', () => {
    expect(withParts(query, { columns: [] })).toStrictEqual({ refId: 'A', queryType: 'runners', days: 7 });
  });

  it('keeps the properties that Grafana stores in a query', () => {
    expect(withParts({ ...query, hide: undefined, key: '' }, { days: 1 })).toStrictEqual({
      ...query,
      hide: undefined,
      key: '',
      days: 1,
    });
  });

  it('does not change the given query', () => {
    withParts(query, { days: undefined });
    expect(query.days).toBe(7);
  });
});
