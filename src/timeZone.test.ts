import { type DataQueryRequest } from '@grafana/data';

import { type InsightsQuery } from './query';
import { withTimeZone } from './timeZone';

const request = (timezone: string, ...formats: Array<InsightsQuery['format']>) =>
  ({
    timezone,
    requestId: 'Q1',
    targets: formats.map((format) => ({ refId: 'A', format })),
  }) as DataQueryRequest<InsightsQuery>;

const zones = (sent: DataQueryRequest<InsightsQuery>) =>
  sent.targets.map((query) => ('timezone' in query ? query.timezone : undefined));

it.each(['utc', 'America/Sao_Paulo'])('sends %s as it is', (zone) => {
  expect(zones(withTimeZone(request(zone, 'timeseries')))).toEqual([zone]);
});

it('names the zone of the browser', () => {
  expect(zones(withTimeZone(request('browser', 'timeseries')))).toEqual(['UTC']);
});

it('sends it with lines only', () => {
  expect(zones(withTimeZone(request('utc', 'table', undefined, 'numeric')))).toEqual([undefined, undefined, undefined]);
});

it('leaves the saved query and the rest of the request alone', () => {
  const given = request('utc', 'timeseries');
  expect(withTimeZone(given)).toMatchObject({ requestId: 'Q1', timezone: 'utc' });
  expect(given.targets).toEqual([{ refId: 'A', format: 'timeseries' }]);
});
