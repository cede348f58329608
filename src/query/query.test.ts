import { type InsightsQuery, withParts } from './query';

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
