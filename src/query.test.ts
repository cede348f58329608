import { CoreApp } from '@grafana/data';

import { defaultQuery, type InsightsQuery, isUntouched, newRule, withParts } from './query';

describe('defaultQuery', () => {
  it.each([CoreApp.UnifiedAlerting, CoreApp.CloudAlerting])('says nothing that a saved rule would show (%s)', (app) => {
    expect(defaultQuery(app)).toEqual({});
  });

  it.each([CoreApp.Explore, CoreApp.Dashboard, CoreApp.PanelEditor, undefined])('shows tasks elsewhere (%s)', (app) => {
    expect(defaultQuery(app)).toEqual({ queryType: 'tasks' });
  });
});

describe('isUntouched', () => {
  const fresh = { refId: 'A', datasource: { uid: 'x' }, hide: false, intervalMs: 1000, maxDataPoints: 43200 };

  it('knows a query that only Grafana has written to', () => {
    expect(isUntouched(fresh)).toBe(true);
  });

  it.each(Object.entries({ ...newRule, limit: 1, timeField: 'dateCreation', search: 'a', columns: ['id'] }))(
    'knows one that says its %s',
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

  it('leaves alone what Grafana keeps in a query', () => {
    expect(withParts({ ...query, hide: undefined, key: '' }, { days: 1 })).toStrictEqual({
      ...query,
      hide: undefined,
      key: '',
      days: 1,
    });
  });

  it('does not change the query it was given', () => {
    withParts(query, { days: undefined });
    expect(query.days).toBe(7);
  });
});
