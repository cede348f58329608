import { CoreApp } from '@grafana/data';

import { defaultQuery, type InsightsQuery, withParts } from './query';

describe('defaultQuery', () => {
  it.each([CoreApp.UnifiedAlerting, CoreApp.CloudAlerting])('gives an alert rule one number each (%s)', (app) => {
    expect(defaultQuery(app)).toEqual({
      queryType: 'automations',
      format: 'numeric',
      measure: 'successRate',
      groupBy: ['label'],
    });
  });

  it.each([CoreApp.Explore, CoreApp.Dashboard, CoreApp.PanelEditor, undefined])('shows tasks elsewhere (%s)', (app) => {
    expect(defaultQuery(app)).toEqual({ queryType: 'tasks' });
  });
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
