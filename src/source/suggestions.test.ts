import { dateTime, type TimeRange } from '@grafana/data';

import { getDataSet } from '../../schema/datasets';
import { daysBack, fetchSuggestions } from './suggestions';

describe('fetchSuggestions', () => {
  it.each([
    ['automations', 'label', 'automations', { days: 7, search: 'x' }],
    ['runners', '_id', 'runners', { days: 7, search: 'x' }],
    ['tasks', 'activityLabel', 'values', { queryType: 'tasks', field: 'activityLabel', days: 7, search: 'x' }],
    ['automations', 'name', 'values', { queryType: 'automations', field: 'name', days: 7, search: 'x' }],
  ])('of %s, field %s, come from %s', async (name, field, path, params) => {
    const getResource = jest.fn(async () => []);
    await fetchSuggestions({ getResource: getResource as never }, getDataSet(name), field, { days: 7, search: 'x' });
    expect(getResource).toHaveBeenCalledWith(path, params, { showErrorAlert: false });
  });
});

describe('daysBack', () => {
  const now = Date.UTC(2026, 0, 31, 12);
  const rangeFrom = (ms: number) => ({ from: dateTime(now - ms), to: dateTime(now) }) as TimeRange;
  const hour = 3_600_000;

  it.each([
    [5 * 60_000, 1],
    [24 * hour, 1],
    [24 * hour + 30_000, 1],
    [25 * hour, 2],
    [7 * 24 * hour, 7],
    [-hour, 1],
  ])('of a range that began %d ms ago is %d', (ms, days) => {
    expect(daysBack(rangeFrom(ms), now)).toBe(days);
  });

  it('is unknown without a range', () => {
    expect(daysBack(undefined)).toBeUndefined();
  });

  it('does not increase while a panel keeps the moments of a range up to now', () => {
    const range = { ...rangeFrom(24 * hour), raw: { from: 'now-24h', to: 'now' } };
    expect(daysBack(range, now + 10 * 60_000)).toBe(1);
    expect(daysBack({ ...range, raw: { from: range.from, to: range.to } }, now + 10 * 60_000)).toBe(2);
  });
});
